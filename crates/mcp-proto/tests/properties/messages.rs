//! Messages: what is decoded can be written, and is then the same.

use mcp_proto::message::{write_error, write_notification, write_raw, write_request, write_result};
use mcp_proto::{Message, Revision};
use proptest::prelude::*;

use crate::json;

/// The message as one line.
fn write(message: &Message) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match message {
        Message::Request(request) => write_request(&mut out, &request.id, &request.method, |out| {
            let params = request.params.as_ref();
            write_raw(out, params.map_or("null", |params| params.get()));
        }),
        Message::Notification(told) => {
            let params = told.params.as_ref().map(|params| params.get());
            write_notification(&mut out, &told.method, params);
        }
        Message::Response(response) => match (&response.id, &response.outcome) {
            (Some(id), Ok(result)) => write_result(&mut out, id, result),
            (id, Err(error)) => write_error(&mut out, id.as_ref(), error),
            // A result that answers nothing is never written.
            (None, Ok(_)) => return None,
        },
    }
    Some(out)
}

/// An object with the fields of an envelope, in any order, of any sort, some of them twice.
fn envelope() -> impl Strategy<Value = String> {
    let id = prop_oneof![
        any::<i64>().prop_map(|id| id.to_string()),
        json::string(),
        json::value()
    ];
    let error = prop_oneof![
        Just(r#"{"code":-32602,"message":"m","data": [1.0]}"#.to_owned()),
        json::value()
    ];
    let entry = prop_oneof![
        Just((r#""jsonrpc""#.to_owned(), r#""2.0""#.to_owned())),
        id.prop_map(|id| (r#""id""#.to_owned(), id)),
        json::string().prop_map(|method| (r#""method""#.to_owned(), method)),
        json::value().prop_map(|params| (r#""params""#.to_owned(), params)),
        json::value().prop_map(|result| (r#""result""#.to_owned(), result)),
        error.prop_map(|error| (r#""error""#.to_owned(), error)),
        (json::string(), json::value()),
    ];
    prop::collection::vec(entry, 0..6).prop_map(|entries| json::object(&entries))
}

proptest! {
    #![proptest_config(crate::budget())]

    #[test]
    fn what_is_decoded_can_be_written_and_read_back(text in envelope()) {
        if let Ok(message) = Message::decode(text.as_bytes())
            && let Some(line) = write(&message)
        {
            let (end, line) = line.split_last().unwrap();
            prop_assert_eq!(*end, b'\n');
            prop_assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
            prop_assert_eq!(Message::decode(line).unwrap(), message);
        }
    }

    #[test]
    fn an_id_keeps_its_type_and_every_digit(id in any::<i64>()) {
        for (text, stays) in [(id.to_string(), true), (format!("\"{id}\""), true), (format!("{id}.0"), false)] {
            let request = format!(r#"{{"id":{text},"method":"m","params":null}}"#);
            let response = format!(r#"{{"id":{text},"result":1}}"#);
            let decoded = Message::decode(request.as_bytes());
            prop_assert_eq!(decoded.is_ok(), stays);
            for message in decoded.into_iter().chain(Message::decode(response.as_bytes())) {
                let line = String::from_utf8(write(&message).unwrap()).unwrap();
                let written = text.trim_end_matches(".0");
                let expected = format!(r#""id":{written},"#);
                prop_assert!(line.contains(&expected), "{}", line);
            }
        }
    }

    #[test]
    fn a_batch_is_the_messages_in_it(texts in prop::collection::vec(envelope(), 1..5)) {
        let batch = format!("[{}]", texts.join(","));
        for revision in Revision::ALL {
            let decoded = Message::decode_batch(batch.as_bytes(), revision);
            prop_assert_eq!(decoded.is_ok(), revision == Revision::V2025_03_26);
            for (text, element) in texts.iter().zip(decoded.into_iter().flatten()) {
                match Message::decode(text.as_bytes()) {
                    Ok(message) => prop_assert_eq!(element.unwrap(), message),
                    Err(error) => prop_assert_eq!(element.unwrap_err().to_string(), error.to_string()),
                }
            }
        }
    }

    #[test]
    fn arbitrary_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let refused = Message::decode(&bytes).is_err();
        prop_assert!(refused || std::str::from_utf8(&bytes).is_ok());
    }
}
