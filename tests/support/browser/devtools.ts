/** One line to a browser's debugging port: what Playwright keeps from a page it drives, such as being made ready ahead. */
export type DevTools = Disposable & {
  send(method: string, params?: object, session?: string): Promise<Record<string, unknown>>
  /** Evaluates in a page, and gives a value that can be sent. */
  evaluate(session: string, expression: string): Promise<unknown>
  /** Sessions of the pages that the browser's first tab holds: the one that is shown, and any that is made ready behind it. */
  pages: readonly string[]
}

type Message = {
  id?: number
  method?: string
  params?: { sessionId?: string; targetInfo?: { type: string } }
  result?: Record<string, unknown>
  error?: { message: string }
}

export async function devTools(endpoint: string): Promise<DevTools> {
  const socket = new WebSocket(endpoint)
  const waiting = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>()
  let count = 0
  const pages: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error }: Message = JSON.parse(String(data))
    if (method === 'Target.attachedToTarget' && params?.targetInfo?.type === 'page') pages.push(params.sessionId ?? '')
    if (method === 'Target.detachedFromTarget')
      pages.splice(0, pages.length, ...pages.filter((it) => it !== params?.sessionId))
    const asked = id === undefined ? undefined : waiting.get(id)
    if (id !== undefined) waiting.delete(id)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result ?? {})
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`no answer at ${endpoint}`)), { once: true })
  })
  const send: DevTools['send'] = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      count += 1
      waiting.set(count, { resolve, reject })
      socket.send(JSON.stringify({ id: count, method, params, ...(sessionId ? { sessionId } : {}) }))
    })
  // A page that is attached to by itself may not be made ready ahead; one that its tab brings may.
  const { targetInfos } = (await send('Target.getTargets', { filter: [{ type: 'tab' }] })) as {
    targetInfos: readonly { targetId: string }[]
  }
  const tab = await send('Target.attachToTarget', { targetId: targetInfos[0]?.targetId, flatten: true })
  const options = { autoAttach: true, flatten: true, waitForDebuggerOnStart: false }
  await send('Target.setAutoAttach', options, String(tab.sessionId))
  return {
    send,
    pages,
    async evaluate(session, expression) {
      const asked = { expression, returnByValue: true, awaitPromise: true }
      const { result } = (await send('Runtime.evaluate', asked, session)) as { result?: { value?: unknown } }
      return result?.value
    },
    [Symbol.dispose]: () => socket.close(),
  }
}
