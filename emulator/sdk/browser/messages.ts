import type { Destroyable, SdkSettings } from './buttons.ts'

export type MessageOptions = {
  amount?: number | string
  currency?: string
  placement?: string
  pageType?: string
  style?: Record<string, unknown>
  offer?: unknown
  onApply?: (data: Record<string, unknown>) => unknown
  onClick?: (data: Record<string, unknown>) => unknown
  onRender?: (data: Record<string, unknown>) => unknown
}

export type Messages = { render(container?: string | HTMLElement | Iterable<HTMLElement>): Promise<void> }

const FRAME_WAIT_MS = 15_000
const STYLE_CHOICES: Record<string, readonly string[]> = {
  layout: ['text', 'flex', 'custom'],
  'logo.type': ['primary', 'alternative', 'inline', 'none'],
  'logo.position': ['left', 'right', 'top'],
  'text.color': ['black', 'white', 'monochrome', 'grayscale'],
  'text.size': ['10', '11', '12', '13', '14', '15', '16'],
  'text.align': ['left', 'center', 'right'],
  color: ['blue', 'black', 'white', 'white-no-border', 'gray', 'monochrome', 'grayscale'],
  ratio: ['1x1', '1x4', '8x1', '20x1'],
}
const OFFER_TYPES = ['pay_later_short_term', 'pay_later_long_term']

let messagesMade = 0
/** By container: rendering again brings the message there up to date. */
const rendered = new WeakMap<Element, { update(given: MessageOptions): Promise<void> }>()

/** What paying later would cost. Style never throws: what is unknown is warned of, and falls back. */
export function createMessages(settings: SdkSettings, living: Set<Destroyable>, given: MessageOptions): Messages {
  const { offer } = given
  const offers = offer === undefined ? [] : [offer].flat()
  if (offers.length > 2 || !offers.every((one) => OFFER_TYPES.includes(String(one)))) {
    throw new Error('offer_validation_error')
  }
  return {
    async render(container) {
      const places =
        typeof container === 'string'
          ? [...document.querySelectorAll<HTMLElement>(container)]
          : container instanceof HTMLElement
            ? [container]
            : [...(container ?? document.querySelectorAll<HTMLElement>('[data-pp-message]'))]
      await Promise.all(
        places.map((place) => (rendered.get(place) ?? messageIn(settings, living, place)).update(given)),
      )
    },
  }
}

function messageIn(settings: SdkSettings, living: Set<Destroyable>, place: HTMLElement) {
  messagesMade += 1
  const number = messagesMade
  let options: MessageOptions = {}
  const box = document.createElement('span')
  box.setAttribute('data-pp-id', String(number))
  Object.assign(box.style, { display: 'inline-block', width: '100%' })
  const frame = document.createElement('iframe')
  frame.name = `__zoid__paypal_message__${number}__`
  frame.title = `PayPal Message ${number}`
  Object.assign(frame.style, { border: '0', width: '0', height: '0', opacity: '0', colorScheme: 'light' })
  box.append(frame)

  let settle: (() => void) | undefined
  function hear(event: MessageEvent<{ source?: string; kind?: string; height?: number }>): void {
    if (event.origin !== settings.origin || event.source !== frame.contentWindow) return
    if (event.data?.source !== 'paypal-emulator-message') return
    if (event.data.kind === 'ready') {
      Object.assign(frame.style, { width: '100%', height: `${event.data.height}px`, opacity: '1' })
      settle?.()
      options.onRender?.({ index: number })
    } else if (event.data.kind === 'resize') {
      frame.style.height = `${event.data.height}px`
    } else if (event.data.kind === 'click') {
      options.onClick?.({ index: number })
      openDetails(settings.origin, new URL(frame.src).search, () => options.onApply?.({ index: number }))
    }
  }
  addEventListener('message', hear)
  const self: Destroyable = {
    destroy() {
      removeEventListener('message', hear)
      living.delete(self)
      rendered.delete(place)
      box.remove()
    },
  }
  living.add(self)

  const message = {
    update(next: MessageOptions) {
      options = next
      const source = `${settings.origin}/sdk/message?${messageQuery(settings, next)}`
      if (!box.isConnected) place.append(box)
      if (frame.src === source) return Promise.resolve()
      return new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('Loading the message frame timed out')), FRAME_WAIT_MS)
        settle = () => {
          clearTimeout(timer)
          resolve()
        }
        frame.src = source
      })
    },
  }
  rendered.set(place, message)
  return message
}

function messageQuery(
  settings: SdkSettings,
  { amount, currency, placement, pageType, style }: MessageOptions,
): URLSearchParams {
  const number = Number(amount ?? Number.NaN)
  if (amount !== undefined && !(number >= 0)) console.warn('[PayPal Messages] invalid_option_value amount', amount)
  const query = new URLSearchParams({
    amount: number >= 0 ? String(number) : '',
    currency: currency ?? settings.currency,
    placement: placement ?? pageType ?? '',
    locale: settings.locale,
    country: settings.buyerCountry,
  })
  for (const [path, choices] of Object.entries(STYLE_CHOICES)) {
    const [group = '', name] = path.split('.')
    const outer = style?.[group]
    const value = name === undefined ? outer : (outer as Record<string, unknown> | undefined)?.[name]
    if (value === undefined || value === '') continue
    if (choices.includes(String(value))) query.set(path, String(value))
    else console.warn(`[PayPal Messages] invalid_option_value style.${path}`, value)
  }
  return query
}

/** The terms, in a layer over the page. */
function openDetails(origin: string, query: string, apply: () => void): void {
  const layer = document.createElement('div')
  Object.assign(layer.style, { position: 'fixed', inset: '0', zIndex: '2147483647', background: 'rgb(0 0 0 / 60%)' })
  const frame = document.createElement('iframe')
  frame.title = 'PayPal Pay Later details'
  frame.name = '__zoid__paypal_credit_modal__'
  Object.assign(frame.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', border: '0' })
  frame.src = `${origin}/sdk/message${query}&details=1`
  function hear(event: MessageEvent<{ source?: string; kind?: string }>): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    if (event.data?.source !== 'paypal-emulator-message') return
    if (event.data.kind === 'apply') apply()
    if (event.data.kind === 'close') {
      window.removeEventListener('message', hear)
      layer.remove()
    }
  }
  window.addEventListener('message', hear)
  layer.append(frame)
  document.body.append(layer)
}
