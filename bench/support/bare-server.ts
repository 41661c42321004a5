import { spawn } from 'node:child_process'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server sent, headers and compressed bytes as they were. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** `node:http` by itself: made by the server for each answer, not by us. */
const hopHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

export function rawAnswer(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const kept = Array.from({ length: response.rawHeaders.length / 2 }, (_, index) => [
          response.rawHeaders[index * 2] ?? '',
          response.rawHeaders[index * 2 + 1] ?? '',
        ]).filter(([name]) => !hopHeaders.has((name ?? '').toLowerCase()))
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(kept),
          body: Buffer.concat(chunks),
        })
      })
    }).on('error', reject)
  })
}

export type BareServer = AsyncDisposable & { readonly url: string; readonly pid: number }

/** The least that Node can do: one answer, ready in memory, for whatever is asked; in a process of its own. */
export async function aBareServer({ headers, body }: RawAnswer): Promise<BareServer> {
  const child = spawn(process.execPath, [import.meta.filename], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  child.stdin.end(JSON.stringify({ headers, body: body.toString('base64') }))
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(`${chunk}`)))
  return {
    url: `http://127.0.0.1:${port.trim()}`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function serve(): Promise<void> {
  let given = ''
  for await (const chunk of process.stdin) given += chunk
  const { headers, body } = JSON.parse(given)
  const bytes = Buffer.from(body, 'base64')
  const server = createServer((_, response) => {
    response.writeHead(200, { ...headers, 'Content-Length': bytes.length })
    response.end(bytes)
  })
  // The shop's own.
  server.keepAliveTimeout = 10_000
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
}

if (import.meta.main) await serve()
