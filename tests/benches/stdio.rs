//! Tool calls through `mcp-client` over stdio, beside the raw pipe that they are measured against.
//!
//! A call takes several times longer when the two processes sit on different cores, and left alone the
//! kernel picks either. So the bench pins itself to one core, and what it starts inherits that. A round
//! runs every subject once, each with a fresh child: only what is measured side by side is comparable.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_client::{CallOptions, Client, ClientOptions, StdioTransport, ToolCall};
use mcp_proto::{Raw, lifecycle::Implementation};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;
use workspace::{Local, LocalOptions, ProcessSpec};

const ROUNDS: usize = 9;
const WARM_UP: usize = 500;
const SEQUENTIAL: usize = 5_000;
const CONCURRENT: usize = 20_000;
const CHUNK: usize = 64 * 1024;

/// What the bench does when it has started itself as a child.
const ECHO_LINES: &str = "echo-lines";
const ECHO_SERVER: &str = "echo-mcp-server";

/// What the echo server says of itself, and to all that it does not know.
const ABOUT: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}"#;
const REFUSAL: &str = r#"{"code":-32601,"message":"no such method"}"#;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Outcome<()> {
    match std::env::args().nth(1).as_deref() {
        Some(ECHO_LINES) => Ok(serve(|line, out| out.push_str(line))?),
        Some(ECHO_SERVER) => Ok(serve(answer)?),
        _ => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(compare(&pin()?)),
    }
}

async fn compare(place: &str) -> Outcome<()> {
    let mut reply = String::new();
    answer(&request(), &mut reply);
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push([
            ("raw pipe, tokio to std", raw(ECHO_LINES, request()).await?),
            (
                "raw, to echo server",
                raw(ECHO_SERVER, reply.clone()).await?,
            ),
            ("mcp-client, sequential", client(SEQUENTIAL, 1).await?),
            ("mcp-client, 64 in flight", client(CONCURRENT, 64).await?),
        ]);
    }
    let size = request().len();
    println!("{place}; requests of {size} B; µs, medians of {ROUNDS} rounds");
    println!("subject                      p50     p99 CPU/call  calls/s");
    for (subject, (name, _)) in rounds[0].iter().enumerate() {
        let median = |figure: usize| spread(rounds.iter().map(|it| it[subject].1[figure]))[1];
        let [p50, p99, cpu, rate] = [0, 1, 2, 3].map(median);
        println!("{name:<24} {p50:>7.2} {p99:>7.2} {cpu:>8.2} {rate:>8.0}");
    }
    let [least, median, most] = spread(rounds.iter().map(|it| it[2].1[0] / it[0].1[0]));
    println!("sequential p50 over raw: {median:.2} ({least:.2} to {most:.2}); aim: at most 1.6");
    Ok(())
}

/// A line to a child and a line back, with nothing in between.
async fn raw(mode: &str, expected: String) -> Outcome<Figures> {
    let mut child = tokio::process::Command::new(std::env::current_exe()?)
        .arg(mode)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no stdin")?;
    let mut output = child.stdout.take().ok_or("no stdout")?;
    let exchange = async move {
        let (line, mut buffer) = (request(), vec![0; CHUNK]);
        let (mut start, mut latencies) = (now()?, Vec::with_capacity(SEQUENTIAL));
        for call in 0..WARM_UP + SEQUENTIAL {
            if call == WARM_UP {
                latencies.clear();
                start = now()?;
            }
            let sent = Instant::now();
            input.write_all(line.as_bytes()).await?;
            let mut filled = 0;
            while filled == 0 || buffer[filled - 1] != b'\n' {
                filled += match output.read(&mut buffer[filled..]).await? {
                    0 => return Err("the child has closed its output".into()),
                    count => count,
                };
            }
            latencies.push(sent.elapsed());
            assert_eq!(&buffer[..filled], expected.as_bytes());
        }
        figures(start, latencies)
    };
    // A task of its own, as the client's callers are.
    let figures = tokio::spawn(exchange).await?;
    child.wait().await?;
    figures
}

async fn client(calls: usize, in_flight: usize) -> Outcome<Figures> {
    let program = std::env::current_exe()?.to_string_lossy().into_owned();
    let mut spec = ProcessSpec::new("echo", program);
    spec.args = vec![ECHO_SERVER.to_owned()];
    let local = Arc::new(Local::new(LocalOptions::default()));
    let transport = Arc::new(StdioTransport::new(local, spec));
    let options = ClientOptions::new(Implementation::new("bench", "1"));
    let client = Client::start("echo", transport, options).await?;
    client.ready().await?;
    call_all(&client, WARM_UP, in_flight).await?;
    let start = now()?;
    let figures = figures(start, call_all(&client, calls, in_flight).await?);
    client.shutdown().await;
    figures
}

/// Shares the calls out to so many tasks, each of which has one in flight.
async fn call_all(client: &Client, calls: usize, in_flight: usize) -> Outcome<Vec<Duration>> {
    let mut callers = JoinSet::new();
    let share = calls / in_flight;
    for _ in 0..in_flight {
        let client = client.clone();
        callers.spawn(async move {
            let arguments = Raw::parse(format!("{{\"text\":{}}}", text()))?;
            let call = ToolCall::new("echo", Some(arguments));
            let (expected, mut latencies) = (result(&text()), Vec::with_capacity(share));
            for _ in 0..share {
                let sent = Instant::now();
                let answer = client.call_tool(&call, CallOptions::default()).await?;
                latencies.push(sent.elapsed());
                assert_eq!(answer.get(), expected);
            }
            Outcome::Ok(latencies)
        });
    }
    let mut latencies = Vec::with_capacity(calls);
    while let Some(caller) = callers.join_next().await {
        latencies.extend(caller??);
    }
    Ok(latencies)
}

/// 100 bytes, as JSON.
fn text() -> String {
    format!("\"{}\"", "x".repeat(100))
}

/// A call, byte for byte as the client writes it.
fn request() -> String {
    let params = format!(r#"{{"name":"echo","arguments":{{"text":{}}}}}"#, text());
    format!(r#"{{"jsonrpc":"2.0","id":1000,"method":"tools/call","params":{params}}}"#) + "\n"
}

fn result(text: &str) -> String {
    format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#)
}

/// The child. It reads and writes blocking: tokio's stdio would cost a hop between threads each time.
fn serve(answer: fn(&str, &mut String)) -> io::Result<()> {
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut input = BufReader::with_capacity(CHUNK, input);
    let (mut line, mut answers) = (String::new(), String::new());
    while input.read_line(&mut line)? > 0 {
        answer(&line, &mut answers);
        line.clear();
        // All that has arrived is answered with one write.
        if !input.buffer().contains(&b'\n') {
            output.write_all(answers.as_bytes())?;
            answers.clear();
        }
    }
    Ok(())
}

/// The leanest MCP server for this client: it copies the text's token and looks at nothing else.
fn answer(line: &str, out: &mut String) {
    let Some(id) = between(line, r#""id":"#, ",") else {
        return; // a notification
    };
    out.extend([r#"{"jsonrpc":"2.0","id":"#, id]);
    out.extend(match between(line, r#""text":"#, "}") {
        Some(text) => [
            r#","result":{"content":[{"type":"text","text":"#,
            text,
            "}]}",
        ],
        None if line.contains("initialize") => [r#","result":"#, ABOUT, ""],
        None => [r#","error":"#, REFUSAL, ""],
    });
    out.push_str("}\n");
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

/// The median, the 99th percentile and the driving side's CPU time, each in µs per call; calls per second.
type Figures = [f64; 4];

/// The clock, and what this process has used of the processor without its children.
fn now() -> Outcome<(Instant, Duration)> {
    let cpu = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID.now()?;
    Ok((Instant::now(), cpu.into()))
}

fn figures(since: (Instant, Duration), mut latencies: Vec<Duration>) -> Outcome<Figures> {
    let (end, cpu) = now()?;
    latencies.sort_unstable();
    let calls = latencies.len();
    let [p50, p99] = [50, 99].map(|percent| latencies[calls * percent / 100]);
    let cpu = (cpu - since.1) / u32::try_from(calls)?;
    let rate = calls as f64 / (end - since.0).as_secs_f64();
    let [p50, p99, cpu] = [p50, p99, cpu].map(|duration| duration.as_secs_f64() * 1e6);
    Ok([p50, p99, cpu, rate])
}

/// The least, the median and the most.
fn spread(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    [0, values.len() / 2, values.len() - 1].map(|place| values[place])
}

/// Keeps us, and all that we start, on the core where we are.
#[cfg(target_os = "linux")]
fn pin() -> Outcome<String> {
    use nix::sched::{CpuSet, sched_getcpu, sched_setaffinity};
    let core = sched_getcpu()?;
    let mut cores = CpuSet::new();
    cores.set(core)?;
    sched_setaffinity(nix::unistd::Pid::from_raw(0), &cores)?;
    Ok(format!("everything on core {core}"))
}

#[cfg(not(target_os = "linux"))]
fn pin() -> Outcome<String> {
    Ok("NOT pinned, so figures and ratios vary from run to run".to_owned())
}
