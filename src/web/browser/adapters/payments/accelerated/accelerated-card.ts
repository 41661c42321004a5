import { fastlaneHooks } from '#contract/payments/constants.ts'
import type { CardSettings } from '#contract/payments/page-settings.ts'
import { addedAttribute } from '#contract/shared/hooks.ts'
import { parseMarkup } from '../../../runtime/trusted-markup.ts'
import type { AcceleratedCard } from '../provider.ts'

const spentClass = 'is-spent'

/** Formats a card by the merchant's pattern: `{brand} ending in {last4}`. Unknown words in braces stay. */
export function cardLabel(pattern: string, { brand, last4, expiry, name }: Omit<AcceleratedCard, 'token' | 'billing'>) {
  const [year = '', month = ''] = expiry.split('-')
  const parts: Readonly<Record<string, string>> = {
    brand: brandName(brand),
    last4,
    expiry: month ? `${month}/${year.slice(-2)}` : expiry,
    name,
  }
  return pattern.replace(/\{(\w+)\}/g, (word, part) => (Object.hasOwn(parts, part) ? (parts[part] ?? '') : word)).trim()
}

const shortNames: Readonly<Record<string, string>> = {
  amex: 'American Express',
  american_express: 'American Express',
  jcb: 'JCB',
}

function brandName(brand: string): string {
  const known = Object.hasOwn(shortNames, brand) ? shortNames[brand] : undefined
  return known ?? brand.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())
}

export type CardView = {
  readonly card: AcceleratedCard
  /** The card was declined or used: other cards can be entered below it. */
  readonly spent: boolean
  /** The provider has a shipping address. */
  readonly hasAddress: boolean
}

/** Shows the card at the top of its method's box, in place of the fields for another card; null removes it. */
export function showAcceleratedCard(box: HTMLElement, view: CardView | null, settings: CardSettings): void {
  const present = box.querySelector<HTMLElement>(`.${fastlaneHooks.tokenizedCardClass}`)
  if (!view) {
    present?.remove()
    return
  }
  const shown = present ?? fresh(settings.html.tokenized_card)
  if (!shown) return
  const part = (name: string) => shown.querySelector<HTMLElement>(`.${fastlaneHooks.tokenizedCardClass}__${name}`)
  const { card, spent, hasAddress } = view
  const label = part('label')
  if (label) label.textContent = cardLabel(settings.payment_format, card)
  const icon = part('icon')
  if (icon instanceof HTMLImageElement) {
    const src = Object.hasOwn(settings.icons, card.brand) ? settings.icons[card.brand] : undefined
    icon.hidden = src === undefined
    if (src !== undefined) icon.src = src
  }
  const said = part('spent')
  if (said) said.textContent = spent ? (said.dataset.text ?? '') : ''
  const address = part('address')
  if (address) address.hidden = !hasAddress
  shown.classList.toggle(spentClass, spent)
  if (!present) box.prepend(shown)
}

function fresh(template: string): HTMLElement | undefined {
  const element = parseMarkup(template).firstElementChild
  if (!(element instanceof HTMLElement)) return undefined
  element.toggleAttribute(addedAttribute, true)
  return element
}
