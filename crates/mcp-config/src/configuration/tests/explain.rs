//! What is said about where things come from, and that no secret is in it.

use super::*;

const MINE: &str = r#"{
  "defaults": { "toolTimeout": "1m" },
  "mcpServers": {
    "git": {
      "command": "uvx",
      "args": ["-y", "@scope/x", "${ROOT}/x", "s3cr3t-value"],
      "env": {
        "TOKEN": "s3cr3t-value",
        "OTHER": "s3cr3t-value ${TOKEN:-s3cr3t-value}"
      }
    },
    "My Files": { "command": "files", "disabled": true, "tools": ["a", "b"] },
    "bad": { "comand": "x" },
    "web": { "url": "https://me:s3cr3t-value@host/s3cr3t-value", "headers": { "A": "s3cr3t-value" }, "enabled": false }
  }
}"#;

const THEIRS: &str = r#"{
  "mcpServers": {
    "git": { "command": "./uvx" }
  }
}"#;

#[test]
fn every_field_has_its_origin() {
    let configuration = trusted(MINE, THEIRS);
    let said: Vec<_> = configuration
        .explain(Some("git"))
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        said,
        [r#"git (/p/.mcp.json:3)
  type: stdio  (not set)
  command: /p/uvx  (/p/.mcp.json:3, in place of /conf/mcp.json:5)
  args: -y @scope/x ${ROOT}… …  (/conf/mcp.json:6)
  env.OTHER: …${TOKEN:-…}  (/conf/mcp.json:9)
  env.TOKEN: (not shown)  (/conf/mcp.json:8)
  executors: local  (not set)
  sharing: folder  (not set)
  lifecycle: lazy  (not set)
  startupTimeout: the usual  (not set)
  toolTimeout: 1m  (defaults, /conf/mcp.json:2)
  idleTimeout: the usual  (not set)
  enabled: true  (not set)
  required: false  (not set)"#]
    );
}

#[test]
fn every_entry_is_explained() {
    let configuration = read(MINE, THEIRS, &nobody());
    let all = configuration.explain(None);
    let names: Vec<_> = all.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["git", "My Files", "web", "bad", "git"]);
    let by_id = configuration.explain(Some("My-Files"));
    let first = by_id[0].to_string();
    assert!(
        first.starts_with("My Files (/conf/mcp.json:12), disabled, id My-Files\n"),
        "{first}"
    );
    assert!(
        first.contains("\n  disabled: true  (/conf/mcp.json:12)"),
        "{first}"
    );
    assert!(
        first.contains("\n  tools: a, b  (/conf/mcp.json:12)"),
        "{first}"
    );
    let web = configuration.explain(Some("web"))[0].to_string();
    assert!(web.contains("\n  url: https://host/…  ("), "{web}");
    assert!(web.contains("\n  headers.A: (not shown)  ("), "{web}");
    assert_eq!(
        all[3].to_string(),
        r#"/conf/mcp.json:13: server "bad" is held: "comand" is not known; did you mean "command"?"#
    );
    assert_eq!(
        all[4].to_string(),
        "/p/.mcp.json:3: server \"git\" is not used until you trust it: look at it, then run \
         posthouse trust; until then yours is used\n  command: \"./uvx\"\n  (from yours: args, env)"
    );
    assert_eq!(configuration.explain(Some("none")), []);
}

#[test]
fn every_key_that_is_given_has_a_value_to_show() {
    let text = servers(
        r#""a": { "type": "stdio", "command": "x", "args": ["y"], "env": { "A": "1" }, "envFile": ".env",
           "inheritEnv": ["B"], "cwd": "w", "executors": ["local"], "placement": "each", "sharing": "user",
           "lifecycle": "eager", "startupTimeout": "1s", "toolTimeout": "90s", "idleTimeout": 0,
           "enabled": true, "disabled": false, "required": true, "tools": { "exclude": ["c"] },
           "about": "d", "notReadyAdvice": "e", "curated": ["f"] },
           "b": { "url": "https://h/x", "headers": { "A": "1" }, "enabled": false }"#,
    );
    let configuration = trusted(&text, "{}");
    let mut keys = Vec::new();
    for explanation in configuration.explain(None) {
        for field in explanation.fields {
            assert!(!field.value.is_empty(), "{}", field.key);
            keys.push(field.key.split('.').next().unwrap().to_owned());
        }
    }
    for field in crate::field::FIELDS {
        assert!(keys.iter().any(|key| key == field.key), "{}", field.key);
    }
}

#[test]
fn resolved_dump_has_no_secret_values() {
    let mut asked = variables(&[("ROOT", "s3cr3t-root"), ("TOKEN", "s3cr3t-token")]);
    let text = MINE.replace("\"uvx\",", "\"uvx\", \"cwd\": \"/x/${ROOT}\",");
    let loaded = trusted(&text, THEIRS).expand_all(&mut asked);
    let dump = loaded.dump();
    let value: serde_json::Value = serde_json::from_str(&dump).unwrap();
    let git = &value["servers"]["git"];
    assert_eq!(git["env"], serde_json::json!(["OTHER", "TOKEN"]));
    assert_eq!(git["args"], serde_json::json!(["-y", "@scope/x", "…", "…"]));
    assert_eq!(git["cwd"], "/x/[redacted]");
    assert_eq!(git["from"], "/p/.mcp.json:3");
    assert_eq!(value["servers"]["web"]["headers"], serde_json::json!(["A"]));
    assert_eq!(value["servers"]["web"]["url"], "https://host/…");
    assert_eq!(
        value["files"],
        serde_json::json!(["/conf/mcp.json", "/p/.mcp.json"])
    );
    assert_eq!(value["held"][0], loaded.held[0].to_string());
    assert!(!dump.contains("s3cr3t"), "{dump}");
}

#[test]
fn no_explanation_holds_a_secret() {
    let configuration = trusted(MINE, THEIRS);
    for explanation in configuration.explain(None) {
        let said = format!("{explanation} {explanation:?} {}", explanation.to_json());
        assert!(!said.contains("s3cr3t"), "{said}");
    }
}
