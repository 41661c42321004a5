import { Agent, request } from 'node:http'

/** What a browser does for one visitor: posts forms, keeps cookies. */
export type Caller = {
  post(path: string, fields: Readonly<Record<string, string>>): Promise<string>
  get(path: string): Promise<string>
  /** Lets the cookies go: a new visitor on the same connection. */
  forget(): void
  close(): void
}

/** On one kept connection, by Node's own client: `fetch` would cost as much as the call. */
export function aCaller(url: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const cookies = new Map<string, string>()
  const send = (path: string, method: 'GET' | 'POST', body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(method === 'POST' && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': body.length,
        }),
      }
      const call = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let answer = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          answer += text
        })
        response.on('end', () => {
          for (const cookie of response.headers['set-cookie'] ?? []) {
            const [name = '', value = ''] = cookie.slice(0, cookie.indexOf(';')).split('=')
            if (value === '') cookies.delete(name)
            else cookies.set(name, value)
          }
          if (response.statusCode === 200) resolve(answer)
          else reject(new Error(`${path} answered ${response.statusCode}: ${answer.slice(0, 200)}`))
        })
      })
      call.on('error', reject).end(body)
    })
  return {
    post: (path, fields) => send(path, 'POST', new URLSearchParams(fields).toString()),
    get: (path) => send(path, 'GET', ''),
    forget: () => cookies.clear(),
    close: () => agent.destroy(),
  }
}
