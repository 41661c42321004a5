import { isbot } from 'isbot'

/** What a request says of the one who sent it: headers by their names in lower case; '' where there is none. */
export type Sender = {
  /** From the proxy that the shop trusts, or of the connection. */
  readonly ip: string
  readonly method: string
  readonly header: (name: string) => string
}

/** Whether a program looks, not a person. Most say so; the others do not send what every browser does. */
export function isRobot({ ip, method, header }: Sender): boolean {
  const agent = header('user-agent')
  if (ip === '' || agent.trim() === '' || method === 'HEAD') return true
  return header('accept-language').trim() === '' || isbot(agent.slice(0, 500))
}
