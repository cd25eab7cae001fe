//! The texts of mode `big-numbers`: each must arrive byte for byte, so each is public.
//!
//! They hold numbers that no `f64` holds, several spellings of one number, unsorted keys,
//! unknown fields, needless escapes and spaces in odd places.

/// The list entry of the tool `numbers`.
pub const TOOL: &str = concat!(
    r#"{ "zeta" :  1e400, "name":"numbers" , "inputSchema" : { "properties" : "#,
    r#"{ "huge" : {"type":"number","maximum": 1e400 ,"minimum":-1E+400} , "#,
    r#""exact":{ "const" :12345678901234567890123456789},"tiny":{"default":0.1000000000000000055511151231257827} , "#,
    r#""minus":{"const":-0.0},"one" :{"const":1.0}, "café\/\u0061":{"enum":[1E2,100,1.0e+2 ]}} , "#,
    r#""x-unknown" : [1.50 , null,{}],"type":"object" } ,"#,
    "\t",
    r#""description" : "Gives numbers \u2014 \/ \ud83d\ude00 unchanged.","alpha":18446744073709551616 }"#,
);

/// The result of the tool `numbers`.
pub const RESULT: &str = concat!(
    r#"{ "structuredContent" : {"z":1.10,"a":123456789012345678901234567890, "m" : -0 ,"e":1E400 } , "#,
    r#""content" : [ { "text" : "caf\u00e9 \/ \ud83d\ude00","type":"text" , "weight" :  1E400 } , "#,
    r#"{"size":1.0e+2, "type":"future_block"}],"isError" : false ,"#,
    "\t",
    r#""extra" : [ ],"_meta":{ "example.com\/n" : 1.000 } }"#,
);

/// A response around `result` whose envelope is just as odd.
pub(crate) fn response(id: &str, result: &str) -> String {
    format!(r#" {{ "unknown" : 1e400 ,"result" :  {result} , "id":{id}, "jsonrpc" : "2.0" }} "#)
}
