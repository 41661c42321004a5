import {
  CONNECT,
  type FromFrame,
  type Outcome,
  type ShippingQuestion,
  type ShippingVerdict,
  type ToFrame,
} from './wire.ts'

/** The page's end of the line to one button's frame. */
export type FrameLink = {
  send(message: ToFrame): void
  /** A REST call made from the frame, which stands on the provider's origin and holds a token. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>
  /** The next way in which the buyer leaves the wallet. */
  nextOutcome(): Promise<Outcome>
  /** An outcome that has already come and that nobody has taken yet. */
  peekOutcome(): Outcome | undefined
  /** Adds an outcome that did not come through the frame. */
  putOutcome(outcome: Outcome): void
  forgetOutcomes(): void
  /** Who answers the questions that come from the wallet while an attempt runs. */
  answerShipping(how: ((question: ShippingQuestion) => Promise<ShippingVerdict>) | undefined): void
  close(): void
}

export function linkFrame(
  frame: HTMLIFrameElement,
  origin: string,
  on: {
    ready(height: number): void
    click(fundingSource: string, opened: boolean): void
  },
): FrameLink {
  let port: MessagePort | undefined
  let asked = 0
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let outcomes: Outcome[] = []
  let waiting: ((outcome: Outcome) => void) | undefined
  let answerShipping: ((question: ShippingQuestion) => Promise<ShippingVerdict>) | undefined

  function send(message: ToFrame): void {
    port?.postMessage(message)
  }

  function putOutcome(outcome: Outcome): void {
    if (!waiting) {
      outcomes.push(outcome)
      return
    }
    const wake = waiting
    waiting = undefined
    wake(outcome)
  }

  function hear(message: FromFrame): void {
    switch (message.kind) {
      case 'ready':
        on.ready(message.height)
        break
      case 'click':
        on.click(message.fundingSource, message.opened)
        break
      case 'shipping':
        void answerShipping?.(message).then((verdict) => send({ kind: 'shipping', ...verdict }))
        break
      case 'answer':
        pending.get(message.id)?.resolve(message.value)
        pending.delete(message.id)
        break
      case 'failure':
        pending.get(message.id)?.reject(new Error(message.message))
        pending.delete(message.id)
        break
      default:
        putOutcome(message)
    }
  }

  // A frame that is moved in the document loads again: each load gets a new line.
  function connect(): void {
    port?.close()
    const channel = new MessageChannel()
    port = channel.port1
    port.onmessage = (event: MessageEvent<FromFrame>) => hear(event.data)
    frame.contentWindow?.postMessage(CONNECT, origin, [channel.port2])
  }
  frame.addEventListener('load', connect)

  return {
    send,
    ask(method, path, body) {
      asked += 1
      const id = asked
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        send({ kind: 'ask', id, method, path, body })
      })
    },
    nextOutcome() {
      const first = outcomes.shift()
      if (first) return Promise.resolve(first)
      return new Promise((resolve) => {
        waiting = resolve
      })
    },
    peekOutcome: () => outcomes[0],
    putOutcome,
    forgetOutcomes() {
      outcomes = []
      waiting = undefined
    },
    answerShipping(how) {
      answerShipping = how
    },
    close() {
      frame.removeEventListener('load', connect)
      port?.close()
      port = undefined
    },
  }
}
