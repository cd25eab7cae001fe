//! What can never be had, whatever is set.

use super::*;

#[test]
fn what_can_never_be_had_is_said_when_the_file_is_read() {
    let check = |field: &str, expect: &str| {
        let text = servers(&format!("\"it\": {{ \"command\": \"x\", {field} }}"));
        let layers = Layers::new().user_text(&text, user());
        let held = Configuration::read(&layers, &nobody())
            .unwrap()
            .held
            .remove(0);
        assert_eq!(
            format!("{}; {}", held.reason, held.remedy),
            expect,
            "{field}"
        );
    };
    check(
        r#""env": { "A": "s3cr3t${" }"#,
        r#""env.A" has a ${ that is never closed; add the }, or write $${ for the characters themselves"#,
    );
    check(
        r#""args": ["${workspaceFolder}"]"#,
        r#""args[0]" asks for ${workspaceFolder}, which only an editor knows; write the value itself"#,
    );
    check(
        r#""cwd": "${workspaceFolder}/x""#,
        r#""cwd" asks for ${workspaceFolder}, which only an editor knows; write the folder itself, or leave "cwd" out to start in the session's folder"#,
    );
    check(
        r#""args": ["${userHome}/x"]"#,
        r#""args[0]" asks for ${userHome}, which only an editor knows; write ~/… or ${HOME}"#,
    );
    check(
        r#""env": { "A": "${input:key}" }"#,
        r#""env.A" asks for ${input:…}, which only an editor can ask you for; write ${NAME} and set that variable, or ${cmd:COMMAND} for what a password manager prints"#,
    );
    check(
        r#""env": { "A": "{env:TOKEN}" }"#,
        r#""env.A" asks for a value as another program writes it; write ${NAME} or ${file:PATH}"#,
    );
    check(
        r#""env": { "A": "${A:-${B}}" }"#,
        r#""env.A" has ${…} within ${…}; write the inner one as plain text"#,
    );
    check(
        r#""env": { "A": "${A=b}" }"#,
        r#""env.A" has ${…} in a form that is not known; write ${NAME}, ${NAME:-default}, ${file:PATH} or ${cmd:COMMAND}, or $${ for the characters themselves"#,
    );
}
