import { isbot } from 'isbot'

/** Facts of a request about its sender: headers by lower-case name; '' if missing. */
export type Sender = {
  /** From the trusted proxy, or of the connection. */
  readonly ip: string
  readonly method: string
  readonly header: (name: string) => string
}

/** Detects robots. Most identify themselves; others lack headers that every browser sends. */
export function isRobot({ ip, method, header }: Sender): boolean {
  const agent = header('user-agent')
  if (ip === '' || agent.trim() === '' || method === 'HEAD') return true
  return header('accept-language').trim() === '' || isbot(agent.slice(0, 500))
}
