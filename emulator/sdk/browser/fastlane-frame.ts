import { cardForm, readPlace } from './fastlane-card-form.ts'
import { runAddresses, runCards, runCode } from './fastlane-choices.ts'
import {
  type ChosenCard,
  type FastlaneAccess,
  type FastlanePlace,
  type FastlaneSetUp,
  type FastlaneStyles,
  type FastlaneToken,
  requestFastlane,
} from './fastlane-wire.ts'
import { type Answers, type Line, lineToPage } from './line.ts'

/** Inside each frame of accelerated checkout; the page's kind says which one it is. */
export function runFastlaneFrame(): void {
  const { kind } = document.body.dataset
  if (kind === 'line') runLine()
  else if (kind === 'watermark') runWatermark()
  else if (kind === 'card' || kind === 'payment') runPayment()
  else runDialog(kind ?? '')
}

/** Unseen: asks on the provider's origin what the page wants to know. */
function runLine(): void {
  lineToPage({
    call: ({ access, name, given }: { access: FastlaneAccess; name: string; given: object }) =>
      requestFastlane(access, name, given),
  })
}

function runWatermark(): void {
  const line = lineInPage({})
  const info = document.querySelector<HTMLElement>('.info')
  const about = document.querySelector<HTMLElement>('#about')
  info?.addEventListener('click', () => {
    if (!about) return
    about.hidden = !about.hidden
    info.setAttribute('aria-expanded', String(!about.hidden))
  })
  reportHeight(line)
}

/** The form of a card, or the card of a member in its place. */
function runPayment(): void {
  const form = document.forms[0]
  if (!form) return
  const inputs = cardForm(form)
  const chosenBox = form.querySelector<HTMLElement>('.chosen')
  const same = form.querySelector<HTMLInputElement>('input[name=same]')
  let setUp: FastlaneSetUp | undefined
  let card: ChosenCard | undefined
  let shipping: FastlanePlace | undefined

  function show(): void {
    if (!form) return
    if (chosenBox) chosenBox.hidden = !card
    for (const part of form.querySelectorAll<HTMLElement>('.new-card')) part.hidden = card !== undefined
    const text = form.querySelector('.chosen-text')
    if (text && card) text.textContent = `${card.brand} ·· ${card.lastDigits}`
    const tick = form.querySelector<HTMLElement>('#same')
    if (tick) tick.hidden = !shipping
    const address = form.querySelector<HTMLElement>('.address')
    if (address) address.hidden = same?.checked === true && shipping !== undefined
  }

  async function token(given: { name?: string; billingAddress?: FastlanePlace }): Promise<FastlaneToken> {
    if (!setUp || !form) throw new Error('The component is not rendered')
    const { customerContextId } = setUp
    if (card) return requestFastlane(setUp, 'card', { customerContextId, index: card.index })
    const typed = inputs.read([])
    const wrong = form.querySelector<HTMLElement>('.new-card')?.dataset.wrong ?? ''
    const billing = form.querySelector<HTMLElement>('.address')
    const billingAddress = billing ? (billing.hidden ? shipping : readPlace(billing, wrong)) : given.billingAddress
    const name = typed.name || given.name
    const made = await requestFastlane<FastlaneToken>(setUp, 'new card', {
      ...typed,
      ...(name ? { name } : {}),
      ...(billingAddress ? { billingAddress } : {}),
    })
    const { allowedBrands } = setUp
    if (allowedBrands.length > 0 && !allowedBrands.includes(made.paymentSource.card.brand)) {
      throw new Error('INELIGIBLE_CARD_VENDOR')
    }
    return made
  }

  const line = lineInPage(
    {
      token,
      shipping: (place: FastlanePlace | undefined) => {
        shipping = place
        show()
      },
      card: (next: { customerContextId?: string; card?: ChosenCard }) => {
        card = next.card
        if (setUp && next.customerContextId !== undefined) {
          setUp = { ...setUp, customerContextId: next.customerContextId }
        }
        show()
      },
    },
    (given) => {
      setUp = given
      ;({ card, shippingAddress: shipping } = given)
      if (given.cardholderName !== undefined) inputs.fillName(given.cardholderName)
      show()
    },
  )
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('change', show)
  chosenBox?.querySelector('button')?.addEventListener('click', () => void line.ask('change card'))
  reportHeight(line)
}

function runDialog(kind: string): void {
  const close = () => line.ask('close').catch(() => {})
  const focusFirst = () => document.querySelector<HTMLElement>('input:checked, input:not([hidden])')?.focus()
  const line = lineToPage({ opened: focusFirst })
  for (const button of document.querySelectorAll('[data-close]')) button.addEventListener('click', close)
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
  })
  const run = kind === 'code' ? runCode : kind === 'addresses' ? runAddresses : runCards
  line.ask<FastlaneSetUp>('details').then((setUp) => {
    // The sheet is the provider's own; what is pressed on it takes the shop's colour.
    const { root } = setUp.styles
    if (typeof root === 'object') applyFastlaneStyles({ root: { primaryColor: root.primaryColor ?? '' } })
    // A refusal here is the provider's: there is nothing to choose, so the dialog goes.
    return run(line, setUp).catch(close)
  }, close)
}

/** A frame in the page: takes its looks from what it is handed. */
function lineInPage(answers: Answers, ready?: (setUp: FastlaneSetUp) => void): Line {
  return lineToPage({
    ...answers,
    'set up': (setUp: FastlaneSetUp) => {
      document.documentElement.style.setProperty('--fl-ink', setUp.ink)
      // Before the page's own choices, which win.
      if (isLight(setUp.ink)) document.documentElement.dataset.ground = 'dark'
      applyFastlaneStyles(setUp.styles)
      ready?.(setUp)
    },
  })
}

/** @param color as a computed style has it: `rgb(12, 34, 56)` */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
  return red * 299 + green * 587 + blue * 114 > 128_000
}

function reportHeight(line: Line): void {
  new ResizeObserver(() => void line.ask('height', Math.ceil(document.body.getBoundingClientRect().height))).observe(
    document.body,
  )
}

/** What a page may choose, by part and name, and the custom property that carries it. */
const FASTLANE_STYLES: Record<string, Record<string, string>> = {
  root: {
    backgroundColor: '--fl-ground',
    errorColor: '--fl-error',
    fontFamily: '--fl-font',
    textColorBase: '--fl-ink',
    fontSizeBase: '--fl-size',
    padding: '--fl-padding',
    primaryColor: '--fl-primary',
  },
  input: {
    backgroundColor: '--fl-input-ground',
    borderRadius: '--fl-input-radius',
    borderColor: '--fl-input-border',
    borderWidth: '--fl-input-border-width',
    textColorBase: '--fl-input-ink',
    focusBorderColor: '--fl-input-focus',
  },
}

function applyFastlaneStyles(styles: FastlaneStyles): void {
  for (const [part, properties] of Object.entries(FASTLANE_STYLES)) {
    const given = styles[part]
    if (typeof given !== 'object') continue
    for (const [name, property] of Object.entries(properties)) {
      const value = given[name]
      if (value) document.documentElement.style.setProperty(property, value)
    }
  }
}
