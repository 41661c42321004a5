import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** What a browser does for one visitor: posts forms, keeps cookies. */
export type Caller = {
  post(path: string, fields: Readonly<Record<string, string>>): Promise<string>
  get(path: string): Promise<string>
  /** Lets the cookies go: a new visitor on the same connection. */
  forget(): void
  close(): void
}

type Answer = { readonly status: number; readonly cookies: readonly string[]; readonly body: string }

/**
 * Forms go over one kept connection, written and read by hand: they are what is measured, one after the other, and `fetch` would
 * cost as much as the call, Node's own client a tenth of it.
 */
export function aCaller(url: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port, host } = new URL(url)
  let socket: Socket | null = null
  const cookies = new Map<string, string>()
  const cookieLine = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  function opened(): Socket {
    const fresh = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1')
    // Whoever waits for an answer hears that it is closed, and the next one gets another.
    return fresh
      .on('error', () => {})
      .once('close', () => {
        if (socket === fresh) socket = null
      })
  }

  function posted(path: string, body: string): Promise<Answer> {
    socket ??= opened()
    const line = socket
    const cookie = cookies.size > 0 ? `Cookie: ${cookieLine()}\r\n` : ''
    return new Promise((resolve, reject) => {
      let read = ''
      const take = (text: string) => {
        read += text
        const answer = wholeAnswer(read)
        if (!answer) return
        line.off('data', take).off('close', cut)
        if (answer === 'unmeasured') reject(new Error(`${path}: an answer of no stated length: ${read}`))
        else resolve(answer)
      }
      const cut = () => reject(new Error(`${path}: the connection ended`))
      line.on('data', take).once('close', cut)
      line.write(
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    })
  }

  const got = (path: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = cookies.size > 0 ? { cookie: cookieLine() } : {}
      const call = request(`${url}${path}`, { agent, headers }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, cookies: response.headers['set-cookie'] ?? [], body }),
        )
      })
      call.on('error', reject).end()
    })

  async function kept(path: string, asking: Promise<Answer>): Promise<string> {
    const answer = await asking
    for (const cookie of answer.cookies) {
      const [name = '', value = ''] = cookie.slice(0, cookie.indexOf(';')).split('=')
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    if (answer.status === 200) return answer.body
    throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 200)}`)
  }

  return {
    post: (path, fields) => kept(path, posted(path, new URLSearchParams(fields).toString())),
    get: (path) => kept(path, got(path)),
    forget: () => cookies.clear(),
    close: () => {
      agent.destroy()
      socket?.destroy()
    },
  }
}

/** Null while there is more to come. @param read one character a byte */
function wholeAnswer(read: string): Answer | 'unmeasured' | null {
  const end = read.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = read.slice(0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) return 'unmeasured'
  const body = read.slice(end + 4)
  if (body.length < Number(length)) return null
  return {
    status: Number(head.slice(9, 12)),
    cookies: [...head.matchAll(/\r\nset-cookie: (.*)/gi)].map(([, cookie = '']) => cookie),
    body: Buffer.from(body, 'latin1').toString(),
  }
}
