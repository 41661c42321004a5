import { type ChildProcess, spawn } from 'node:child_process'
import { watchFile } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBuilder } from 'vite'

/**
 * The real build and the real server, made again on every save. In front stands a proxy that holds requests while the server
 * restarts and adds one script to pages, which reloads them when it is back.
 */
const root = join(import.meta.dirname, '..')
const port = Number(process.env.PORT || 3000)
const inner = port + 1000
const reloadScript = '/.dev/reload.js'
const reloadEvents = '/.dev/events'

let server: ChildProcess | undefined
let built = 0
let timer: NodeJS.Timeout | undefined
let restarting: Promise<void> = Promise.resolve()
const firstStart = Promise.withResolvers<void>()
const pages = new Set<ServerResponse>()

process.chdir(root)
const shopConfig = resolve(process.env.SHOP_CONFIG || 'shop.config.ts')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
await watch()
// By interval, because an editor may put a new file in its place; it need not exist yet.
watchFile(shopConfig, { interval: 500 }, () => restartSoon())
await firstStart.promise
createServer(answer).listen(port, '127.0.0.1', () =>
  console.log(`\nhttp://127.0.0.1:${port} reloads when you save. Ctrl-C ends it.\n`),
)

/** Builds browser and server side, and again whenever a source of theirs changes. */
async function watch(): Promise<void> {
  const builder = await createBuilder({ root, logLevel: 'warn', build: { watch: {}, minify: false } })
  for (const environment of Object.values(builder.environments)) {
    const watcher = await builder.build(environment)
    if (!('on' in watcher)) throw new Error('the build does not watch')
    watcher.on('event', (event) => {
      if (event.code === 'END') changed(Object.keys(builder.environments).length)
      if (event.code === 'ERROR') console.error(event.error.message)
    })
  }
}

/** Both sides end their builds shortly after one another: one restart serves both. */
function changed(sides: number): void {
  built += 1
  if (built >= sides) restartSoon()
}

function restartSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    restarting = restarting.then(restart)
  }, 150)
}

async function restart(): Promise<void> {
  await stop()
  const env = {
    ...process.env,
    PORT: String(inner),
    PUBLIC_BASE_URL: process.env.PUBLIC_BASE_URL || `http://127.0.0.1:${port}`,
  }
  server = spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], { env, stdio: 'inherit' })
  for (let tries = 0; tries < 600 && server.exitCode === null; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${inner}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (up) break
    await sleep(50)
  }
  firstStart.resolve()
  for (const page of pages) page.write('data: reload\n\n')
}

async function stop(): Promise<void> {
  const old = server
  if (!old || old.exitCode !== null || old.signalCode !== null) return
  const gone = new Promise((resolve) => old.once('exit', resolve))
  old.kill('SIGINT')
  await gone
}

async function end(): Promise<void> {
  await stop()
  process.exit(0)
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (incoming.url === reloadScript) {
    outgoing.setHeader('content-type', 'text/javascript')
    outgoing.end(`new EventSource('${reloadEvents}').onmessage = () => location.reload()`)
    return
  }
  if (incoming.url === reloadEvents) {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(': open\n\n')
    pages.add(outgoing)
    outgoing.on('close', () => pages.delete(outgoing))
    return
  }
  await restarting
  forward(incoming, outgoing)
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
  // Uncompressed, so that the script can be put in.
  const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
  const call = request(
    { host: '127.0.0.1', port: inner, path: incoming.url, method: incoming.method, headers },
    (reply) => {
      if (!reply.headers['content-type']?.startsWith('text/html')) {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
        return
      }
      const { 'content-length': _, ...rest } = reply.headers
      outgoing.writeHead(reply.statusCode ?? 502, rest)
      let html = ''
      reply.setEncoding('utf8').on('data', (part) => {
        html += part
      })
      reply.on('end', () => outgoing.end(withReload(html)))
    },
  )
  call.on('error', (error) => {
    // With the script as well: the next save that works brings the page back.
    outgoing.writeHead(502, { 'content-type': 'text/html' })
    outgoing.end(withReload(`<body>The shop does not answer: ${error.message}</body>`))
  })
  incoming.pipe(call)
}

/** With the nonce of the page's own scripts, where its content policy asks for one. */
function withReload(html: string): string {
  const nonce = /<script[^>]* nonce="([^"]+)"/.exec(html)?.[1]
  return html.replace('</body>', `<script src="${reloadScript}"${nonce ? ` nonce="${nonce}"` : ''}></script></body>`)
}
