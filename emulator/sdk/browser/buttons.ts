import { runAttempt } from './attempt.ts'
import { type ButtonOptions, type CheckedStyle, checkButtonOptions } from './button-options.ts'
import { type EligibilitySettings, type Flow, isEligible, stackSources } from './eligibility.ts'
import { type FrameLink, linkFrame } from './frame-link.ts'
import { returnedWith } from './wallet-return.ts'

export type SdkSettings = EligibilitySettings & {
  origin: string
  version: string
  intent: string
  commit: boolean
  locale: string
  merchantId: string
  fundingSources: string[]
  /** What the script's element says of a payer who is known to the shop. */
  userToken?: string
}

export type Buttons = {
  isEligible(): boolean
  render(container: string | HTMLElement): Promise<void>
  close(): Promise<void>
  updateProps(options: ButtonOptions): Promise<void>
  hasReturned(): boolean
  resume(): Promise<void>
}

/** What the script must be able to do to every button of the page when it is destroyed. */
export type Destroyable = { destroy(reason: Error): void }

/** How long a frame may take to answer. */
const FRAME_MS = 15_000
const WIDEST_PX = 750

let made = 0

export function createButtons(settings: SdkSettings, living: Set<Destroyable>, given: ButtonOptions): Buttons {
  let options: ButtonOptions = { ...given }
  const style = checkButtonOptions(options, settings.fundingSources)
  const flow: Flow = options.createVaultSetupToken ? 'vault' : options.createBillingAgreement ? 'billing' : 'purchase'
  const eligible = options.fundingSource === undefined || isEligible(settings, options.fundingSource, flow)
  const reported = new WeakSet<object>()
  let enabled = true
  let busy = false
  let closed = false
  let wrapper: HTMLElement | undefined
  let link: FrameLink | undefined
  let failRender: ((error: Error) => void) | undefined

  const self: Destroyable = {
    destroy(reason) {
      failRender?.(reason)
      if (busy) report(reason)
      tearDown()
    },
  }

  function report(error: unknown): void {
    if (closed) return
    if (typeof error === 'object' && error !== null) {
      if (reported.has(error)) return
      reported.add(error)
    }
    if (options.onError) options.onError(error)
    // Nobody listens: the error shows up in the console, as any uncaught one.
    else setTimeout(() => Promise.reject(error))
  }

  function tearDown(): void {
    if (closed) return
    closed = true
    living.delete(self)
    link?.close()
    // Removing the frame closes a window that it has opened.
    wrapper?.remove()
    options.onDestroy?.()
  }

  async function click(fundingSource: string, opened: boolean): Promise<void> {
    if (busy || !link) return
    busy = true
    const guarded = {
      link,
      origin: settings.origin,
      currency: settings.currency,
      intent: settings.intent,
      vault: settings.vault,
      userToken: settings.userToken,
      // After `close` nothing of the page is called any more.
      options: () => (closed ? {} : options),
      isEnabled: () => enabled && !closed,
      report,
    }
    await runAttempt(guarded, fundingSource, opened)
    busy = false
  }

  function render(container: string | HTMLElement): Promise<void> {
    const source = options.fundingSource
    if (!eligible) return Promise.reject(new Error(`${source} is not eligible`))
    const place = typeof container === 'string' ? document.querySelector(container) : container
    if (!place) return Promise.reject(new Error(`Document is ready and element ${String(container)} does not exist`))
    if (closed) return Promise.reject(new Error('Component destroyed'))
    if (wrapper) return Promise.reject(new Error('Buttons are already rendered'))

    const stack = source === undefined ? stackSources(settings, flow, style.layout) : []
    const frame = buttonFrame(settings, style, source, stack)
    wrapper = document.createElement('div')
    wrapper.className = `paypal-buttons paypal-buttons-context-iframe paypal-buttons-layout-${style.layout}`
    Object.assign(wrapper.style, {
      position: 'relative',
      display: 'inline-block',
      width: '100%',
      minHeight: `${style.height ?? 25}px`,
      maxWidth: style.maxWidth ? `${WIDEST_PX}px` : '',
    })
    living.add(self)

    const rendered = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error('Loading the button frame timed out')), FRAME_MS)
      const fail = (error: Error) => {
        clearTimeout(timer)
        failRender = undefined
        reject(error)
      }
      failRender = fail
      link = linkFrame(frame, settings.origin, {
        ready(height) {
          frame.style.height = `${height}px`
          link?.send({ kind: 'enabled', on: enabled })
          if (!failRender) return
          clearTimeout(timer)
          failRender = undefined
          resolve()
        },
        click: (fundingSource, opened) => void click(fundingSource, opened),
      })
    })
    wrapper.append(frame)
    place.append(wrapper)
    return rendered.then(() => {
      options.onInit?.({ correlationID: frame.name }, { enable: () => switchTo(true), disable: () => switchTo(false) })
    })
  }

  function switchTo(on: boolean): Promise<void> {
    enabled = on
    link?.send({ kind: 'enabled', on })
    return Promise.resolve()
  }

  return {
    isEligible: () => eligible,
    render,
    close() {
      failRender?.(new Error('Component closed'))
      tearDown()
      return Promise.resolve()
    },
    updateProps(changed) {
      checkButtonOptions({ ...options, ...changed }, settings.fundingSources)
      options = { ...options, ...changed }
      return Promise.resolve()
    },
    hasReturned: () => options.appSwitchWhenAvailable === true && returnedWith(location.hash) !== undefined,
    async resume() {
      const returned = returnedWith(location.hash)
      if (!returned || closed) return
      // Once: a page that resumes twice must not be told twice.
      history.replaceState(history.state, '', location.pathname + location.search)
      const { orderID, payerID } = returned
      try {
        if (returned.how === 'onApprove') await options.onApprove?.({ orderID, payerID, paymentSource: 'paypal' }, {})
        else if (returned.how === 'onCancel') await options.onCancel?.({ orderID }, {})
        else throw new Error('The wallet could not finish the payment')
      } catch (error) {
        report(error)
      }
    },
  }
}

function buttonFrame(
  settings: SdkSettings,
  style: CheckedStyle,
  source: string | undefined,
  stack: readonly string[],
): HTMLIFrameElement {
  made += 1
  const frame = document.createElement('iframe')
  frame.name = `__zoid__paypal_buttons__${made}_${btoa(settings.version).replace(/=/g, '')}__`
  frame.title = source === undefined ? 'PayPal' : `PayPal-${source}`
  frame.className = 'component-frame visible'
  frame.setAttribute('allowpaymentrequest', 'allowpaymentrequest')
  Object.assign(frame.style, {
    width: '100%',
    height: `${style.height ?? 45}px`,
    border: '0',
    background: 'transparent',
    // A frame of another colour scheme than its element's would be painted opaque.
    colorScheme: 'light',
  })
  const query = new URLSearchParams({
    color: style.color,
    shape: style.shape,
    label: style.label,
    layout: style.layout,
    locale: settings.locale,
    source: source ?? '',
    stack: stack.join(','),
    tagline: String(style.tagline),
    height: String(style.height ?? ''),
    radius: String(style.borderRadius ?? ''),
  })
  frame.src = `${settings.origin}/sdk/frame?${query}`
  return frame
}
