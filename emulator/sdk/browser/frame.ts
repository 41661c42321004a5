import {
  CONNECT,
  type FromFrame,
  type FromWallet,
  type Outcome,
  type ToFrame,
  type ToWallet,
  walletPath,
} from './wire.ts'

/** How often the frame looks whether the buyer has closed the window. */
const POLL_MS = 500
const WINDOW_WIDTH = 500
const WINDOW_HEIGHT = 590

/** Heights by width of the frame, as the real button grows. */
const STEPS: readonly [number, number][] = [
  [500, 55],
  [300, 45],
  [200, 35],
  [0, 25],
]

/** Between two buttons of a stack, and what a line of words under one needs. */
const GAP_PX = 11
const TAGLINE_PX = 22

/** Inside the buttons' frame: opens the wallet's window in the click itself, and says how it ended. */
export function runFrame(token: string): void {
  const buttons = [...document.querySelectorAll('button')]
  let port: MessagePort | undefined
  let busy = false
  let enabled = true
  let wallet: Window | null = null
  let shown: string | undefined
  let poll: ReturnType<typeof setInterval> | undefined

  const send = (message: FromFrame) => port?.postMessage(message)

  const height = () => {
    const wanted = Number(document.body.dataset.height)
    if (wanted > 0) return wanted
    return STEPS.find(([width]) => innerWidth >= width)?.[1] ?? 25
  }
  function announceSize(): void {
    const size = height()
    const rows = document.body.dataset.layout === 'horizontal' ? 1 : buttons.length
    const tagline = document.querySelector('.tagline') ? TAGLINE_PX : 0
    document.body.style.setProperty('--height', `${size}px`)
    const radius = document.body.dataset.radius
    if (radius) document.body.style.setProperty('--radius', `${radius}px`)
    send({ kind: 'ready', height: rows * size + (rows - 1) * GAP_PX + tagline })
  }

  function settle(outcome: Outcome): void {
    clearInterval(poll)
    send(outcome)
  }

  function watch(): void {
    clearInterval(poll)
    poll = setInterval(() => {
      if (wallet?.closed) settle({ kind: 'closed' })
    }, POLL_MS)
  }

  function click(button: HTMLButtonElement): void {
    if (busy) {
      wallet?.focus()
      return
    }
    busy = true
    if (enabled) {
      const left = Math.round(screenX + (outerWidth - WINDOW_WIDTH) / 2)
      const top = Math.round(screenY + (outerHeight - WINDOW_HEIGHT) / 2)
      // Now or never: after any waiting the browser would not let a window open.
      wallet = open(
        '/checkoutnow/opening',
        `__zoid__paypal_checkout__${Date.now().toString(36)}__`,
        `popup,width=${WINDOW_WIDTH},height=${WINDOW_HEIGHT},left=${left},top=${top}`,
      )
      if (wallet) watch()
    }
    button.classList.add('busy')
    send({ kind: 'click', fundingSource: button.dataset.fundingSource ?? 'paypal', opened: wallet !== null })
  }

  function finish(): void {
    clearInterval(poll)
    if (wallet && !wallet.closed) wallet.close()
    wallet = null
    busy = false
    for (const button of buttons) button.classList.remove('busy')
  }

  async function ask(message: Extract<ToFrame, { kind: 'ask' }>): Promise<unknown> {
    if (message.method === 'TOKEN') return token
    const response = await fetch(message.path, {
      method: message.method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      ...(message.body === undefined ? {} : { body: JSON.stringify(message.body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Api: ${message.path} returned status code: ${response.status}\n\n${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  function hear(message: ToFrame): void {
    if (message.kind === 'show') {
      if (!wallet || wallet.closed) {
        settle({ kind: 'closed' })
        return
      }
      shown = message.target.id
      wallet.location.replace(walletPath(message.target))
      watch()
    } else if (message.kind === 'finish') {
      finish()
    } else if (message.kind === 'enabled') {
      enabled = message.on
      for (const button of buttons) button.setAttribute('aria-disabled', String(!enabled))
    } else if (message.kind === 'shipping') {
      const { kind: _, ...verdict } = message
      const answer: ToWallet = { source: 'paypal-emulator-page', verdict }
      wallet?.postMessage(answer, location.origin)
    } else {
      ask(message).then(
        (value) => send({ kind: 'answer', id: message.id, value }),
        (error: Error) => send({ kind: 'failure', id: message.id, message: error.message }),
      )
    }
  }

  for (const button of buttons) button.addEventListener('click', () => click(button))
  addEventListener('resize', announceSize)
  addEventListener('pagehide', finish)
  addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source === parent && event.data === CONNECT && event.ports[0]) {
      port = event.ports[0]
      port.onmessage = ({ data }: MessageEvent<ToFrame>) => hear(data)
      announceSize()
    }
    if (event.source === wallet && event.origin === location.origin) {
      // Of our own origin, and from the window that we opened.
      const message = event.data as FromWallet | undefined
      if (message?.source !== 'paypal-emulator-wallet' || message.token !== shown) return
      if ('outcome' in message) settle(message.outcome)
      else send({ kind: 'shipping', ...message.question })
    }
  })
}
