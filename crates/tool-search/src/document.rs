//! What is indexed of one tool.

/// One tool as search sees it: its names and its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The tool's own name, as a call must give it.
    pub name: String,
    /// The id of the server that has it.
    pub server: String,
    /// What the server says about it.
    pub description: String,
    /// Name and description of each parameter; either may be empty.
    pub params: Vec<(String, String)>,
    /// Extra words from the configuration; they take part in ranking and are never shown.
    pub keywords: Vec<String>,
}

impl Document {
    /// A tool without any text but its names.
    pub fn new(server: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            server: server.into(),
            ..Self::default()
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds one parameter.
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.params.push((name.into(), description.into()));
        self
    }

    /// Adds one keyword or phrase.
    #[must_use]
    pub fn keyword(mut self, keyword: impl Into<String>) -> Self {
        self.keywords.push(keyword.into());
        self
    }
}
