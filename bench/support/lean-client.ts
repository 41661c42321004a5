import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly ms: number
}

export type Asked = {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Asks by kept connections and little else: whoever makes the load shares the machine with what is measured. */
export type LeanClient = {
  /** @throws when the connection fails, or nothing comes for half a minute */
  ask(url: URL, asked?: Asked): Promise<Answer>
  close(): void
}

const patienceMs = 30_000

/**
 * @param kept false: a connection of its own for each request
 * @param ca the certificate of whoever is asked by https
 */
export function leanClient(kept = true, ca?: string): LeanClient {
  const options = { keepAlive: kept, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 2_000 }
  // A session that is taken up again would make new connections cheaper than those of new visitors.
  const agent = ca === undefined ? new http.Agent(options) : new https.Agent({ ...options, ca, maxCachedSessions: 0 })
  const { request } = ca === undefined ? http : https
  return {
    ask(url, { method = 'GET', headers = {}, body } = {}) {
      const began = performance.now()
      return new Promise((resolve, reject) => {
        const sent = request(
          {
            agent,
            method,
            host: url.hostname,
            port: url.port,
            path: url.pathname + url.search,
            headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
            timeout: patienceMs,
          },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.once('error', reject)
            answer.once('end', () =>
              resolve({
                status: answer.statusCode ?? 0,
                headers: answer.headers,
                body: Buffer.concat(chunks).toString(),
                ms: performance.now() - began,
              }),
            )
          },
        )
        sent.once('timeout', () => sent.destroy(new Error(`no answer in ${patienceMs} ms`)))
        sent.once('error', (error: NodeJS.ErrnoException) => {
          const kept = sent.reusedSocket ? ', on a kept connection' : ''
          reject(
            new Error(
              `${method} ${url.pathname}: ${error.code ?? error.message} after ${Math.round(performance.now() - began)} ms${kept}`,
            ),
          )
        })
        sent.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
