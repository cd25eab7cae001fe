//! Whole lists: every page, in order, or an error.

use mcp_proto::Raw;
use mcp_proto::list::{ListKind, ListPage};

use crate::{CallOptions, Client, ClientError, Next, Pager, Params, ToolSet};

/// A whole list, its items as the server wrote them.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemList {
    /// The items in order.
    pub items: Vec<Raw>,
    /// What was odd about the pages, in a whole sentence.
    pub warning: Option<String>,
}

impl Client {
    /// Reads a list to its end. The options' deadline is that of the whole list, the timeout that of
    /// each page.
    pub async fn list(
        &self,
        kind: ListKind,
        options: CallOptions,
    ) -> Result<ItemList, ClientError> {
        let mut pager = Pager::new(self.options().list_limits);
        let mut params = Params::new();
        loop {
            let result = self.request(kind.method(), params, options.clone()).await?;
            let page = ListPage::parse(kind, &result).map_err(|error| ClientError::Protocol {
                method: kind.method().to_owned(),
                reason: error.to_string(),
            })?;
            match pager.accept(page)? {
                Next::Page(cursor) => params = Params::new().text("cursor", &cursor),
                Next::Done => break,
            }
        }
        let (items, warning) = pager.finish();
        Ok(ItemList { items, warning })
    }

    /// Reads the tool list to its end, and gives the server's instructions with it.
    pub async fn list_tools(
        &self,
        options: CallOptions,
    ) -> Result<(ToolSet, Option<String>), ClientError> {
        let list = self.list(ListKind::Tools, options).await?;
        let mut tools = ToolSet::decode(list.items);
        if let Some(warning) = list.warning {
            tools.warn(warning);
        }
        Ok((
            tools,
            self.session()
                .and_then(|session| session.instructions.clone()),
        ))
    }
}
