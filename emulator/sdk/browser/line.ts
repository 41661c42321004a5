/**
 * Questions and answers between a page and a frame of the provider's, over a MessageChannel of their own. Both ends are
 * this emulator's, so each trusts the shape of what the other says.
 */
export type Line = {
  /** What the other end answers; its refusal rejects with the same text. Questions wait until the line stands. */
  ask<Answer>(kind: string, data?: unknown): Promise<Answer>
  close(): void
}

/** What an end knows to answer, by the question's kind. */
export type Answers = Record<string, (data: never) => unknown>

type Said =
  | { id: number; kind: string; data: unknown }
  | { answerTo: number; value: unknown }
  | { refusalOf: number; message: string }

const LINE = 'paypal-emulator-line'

type Waiting = { resolve(value: unknown): void; reject(error: Error): void }

/** The page's end. A frame that is moved in the document loads again: each load gets a new line and calls `opened`. */
export function lineToFrame(frame: HTMLIFrameElement, origin: string, answers: Answers, opened?: () => void): Line {
  const end = lineEnd(answers)
  function connect(): void {
    const channel = new MessageChannel()
    end.use(channel.port1)
    frame.contentWindow?.postMessage(LINE, origin, [channel.port2])
    opened?.()
  }
  frame.addEventListener('load', connect)
  return {
    ask: end.ask,
    close() {
      frame.removeEventListener('load', connect)
      end.close()
    },
  }
}

/** The frame's end. */
export function lineToPage(answers: Answers): Line {
  const end = lineEnd(answers)
  addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source === parent && event.data === LINE && event.ports[0]) end.use(event.ports[0])
  })
  return end
}

function lineEnd(answers: Answers): Line & { use(port: MessagePort): void } {
  let port: MessagePort | undefined
  let asked = 0
  let queue: Said[] = []
  const waiting = new Map<number, Waiting>()

  function say(said: Said): void {
    if (port) port.postMessage(said)
    else queue.push(said)
  }

  /** What was asked of an end that is gone will not be answered. */
  function forget(reason: Error): void {
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
  }

  async function hear(said: Said): Promise<void> {
    if ('answerTo' in said) {
      waiting.get(said.answerTo)?.resolve(said.value)
      waiting.delete(said.answerTo)
    } else if ('refusalOf' in said) {
      waiting.get(said.refusalOf)?.reject(new Error(said.message))
      waiting.delete(said.refusalOf)
    } else {
      try {
        // The kind decides the data, and both ends are written together.
        const answer = answers[said.kind] as ((data: unknown) => unknown) | undefined
        say({ answerTo: said.id, value: await answer?.(said.data) })
      } catch (error) {
        say({ refusalOf: said.id, message: error instanceof Error ? error.message : String(error) })
      }
    }
  }

  return {
    use(next) {
      if (port) forget(new Error('The frame was loaded anew'))
      port?.close()
      port = next
      port.onmessage = (event: MessageEvent<Said>) => void hear(event.data)
      for (const said of queue) port.postMessage(said)
      queue = []
    },
    ask<Answer>(kind: string, data?: unknown) {
      asked += 1
      const id = asked
      return new Promise<Answer>((resolve, reject) => {
        // As said above: the kind decides what is answered.
        waiting.set(id, { resolve: (value) => resolve(value as Answer), reject })
        say({ id, kind, data })
      })
    },
    close() {
      port?.close()
      port = undefined
      forget(new Error('Component closed'))
    },
  }
}
