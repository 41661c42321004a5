import type { Amount } from '#contract/paypal/amount.ts'
import type {
  AmountBreakdown,
  ExperienceBody,
  ItemBody,
  OrderBody,
  ProviderAddress,
  PurchaseUnitBody,
  ShippingOptionBody,
  ShippingPreference,
} from '#contract/paypal/order.ts'
import { type Money, money } from '#domain/money/money.ts'
import { lineName } from '#domain/orders/line-name.ts'
import { toAmount } from './amounts.ts'
import { type PaymentSource, plainWallet, type SourceContext, sourceBody } from './source-body.ts'

/** Facts of an order for the wallet. All figures are without tax; `total` is charged. */
export type WalletOrderFacts = {
  /** Our order's id: returned as `custom_id` with every capture and webhook event. */
  readonly orderId: string
  /** Unique in the merchant's account: order number and attempt. */
  readonly invoiceId: string
  readonly description: string
  readonly total: Money
  readonly lines: readonly WalletLine[]
  readonly shipping: Money
  readonly tax: Money
  /** A positive figure. */
  readonly discount: Money
  /** Sum of fees; negative when they reduce the total. */
  readonly fees: Money
  readonly shipTo: { readonly fullName: string; readonly address: ProviderAddress } | null
  /** Shipping options in the wallet's window. The selected one costs `shipping`. */
  readonly shippingOptions?: readonly ShippingOption[]
}

export type ShippingOption = {
  readonly id: string
  readonly label: string
  readonly cost: Money
  readonly selected: boolean
  readonly pickup: boolean
}

export type WalletLine = {
  readonly name: string
  /** Chosen options of the product; missing: none. */
  readonly choices?: readonly { readonly value: string }[]
  readonly sku: string
  readonly quantity: number
  /** The whole line before discount. */
  readonly subtotal: Money
  readonly virtual: boolean
}

/** Presentation of the wallet. */
export type WalletExperience = {
  readonly brandName: string
  /** BCP 47, e.g. `en-US`. */
  readonly locale?: string
  readonly shippingPreference: ShippingPreference
  readonly userAction: 'CONTINUE' | 'PAY_NOW'
  readonly returnUrl: string
  readonly cancelUrl: string
  /** URL of the shipping callback. */
  readonly shippingCallbackUrl?: string
}

const textLimit = 127
/** Maximum rounding difference in minor units: parts that miss the total by more are left out. */
const roundingLimit = 5

/** Payment beside the wallet's presentation: source, and capture or authorization. */
export type WalletPaying = {
  readonly intent: OrderBody['intent']
  readonly source: PaymentSource
} & Pick<SourceContext, 'vaultCustomer' | 'verification'>

const byWallet: WalletPaying = {
  intent: 'CAPTURE',
  source: plainWallet,
  vaultCustomer: null,
  verification: 'SCA_WHEN_REQUIRED',
}

/** Builds the body of "create order". @throws RangeError when the total cannot be paid: zero, negative or inexact. */
export function walletOrderBody(
  facts: WalletOrderFacts,
  experience: WalletExperience,
  { intent, source, vaultCustomer, verification }: WalletPaying = byWallet,
): OrderBody {
  return {
    intent,
    purchase_units: [purchaseUnit(facts)],
    payment_source: sourceBody(source, { experience: experienceBody(experience), vaultCustomer, verification }),
  }
}

/** Returns the same body without a locale: the wallet chooses the language. */
export function withoutLocale(body: OrderBody): OrderBody {
  const source = body.payment_source
  if (!source || !('paypal' in source) || !('experience_context' in source.paypal)) return body
  const { locale: _, ...experience } = source.paypal.experience_context
  return { ...body, payment_source: { paypal: { ...source.paypal, experience_context: experience } } }
}

function experienceBody(experience: WalletExperience): ExperienceBody {
  return {
    brand_name: cut(experience.brandName, textLimit),
    ...(experience.locale === undefined ? {} : { locale: experience.locale }),
    shipping_preference: experience.shippingPreference,
    user_action: experience.userAction,
    landing_page: 'NO_PREFERENCE',
    return_url: experience.returnUrl,
    cancel_url: experience.cancelUrl,
    ...(experience.shippingCallbackUrl === undefined
      ? {}
      : {
          order_update_callback_config: {
            callback_url: experience.shippingCallbackUrl,
            callback_events: ['SHIPPING_ADDRESS', 'SHIPPING_OPTIONS'],
          },
        }),
  }
}

/**
 * Builds the whole purchase unit: for the creation and, as one `replace`, for every update, so that no half state
 * exists.
 */
export function purchaseUnit(facts: WalletOrderFacts): PurchaseUnitBody {
  const value = facts.total.minor > 0 ? toAmount(facts.total) : undefined
  if (!value)
    throw new RangeError(`the wallet cannot charge ${facts.total.minor} minor units of ${facts.total.currency}`)
  const parts = exactParts(facts)
  return {
    reference_id: 'default',
    custom_id: cut(facts.orderId, textLimit),
    invoice_id: cut(facts.invoiceId, textLimit),
    description: cut(facts.description, textLimit),
    amount: parts ? { ...value, breakdown: parts.breakdown } : value,
    ...(parts ? { items: parts.items } : {}),
    // Without a breakdown there is no shipping amount for an option.
    ...(facts.shipTo || (parts && facts.shippingOptions?.length)
      ? {
          shipping: {
            ...(facts.shipTo
              ? { name: { full_name: cut(facts.shipTo.fullName, 300) }, address: facts.shipTo.address }
              : {}),
            ...(parts && facts.shippingOptions?.length ? { options: optionsIn(facts.shippingOptions) } : {}),
          },
        }
      : {}),
  }
}

/** PayPal accepts at most ten options, with exactly one selected. */
const maxOptions = 10

function optionsIn(options: readonly ShippingOption[]): ShippingOptionBody[] {
  const selected = options.find((option) => option.selected)
  const others = options.filter((option) => option !== selected).slice(0, maxOptions - (selected ? 1 : 0))
  const shown = options.filter((option) => option === selected || others.includes(option))
  return shown.map(({ id, label, cost, pickup, ...option }) => ({
    id: cut(id, textLimit),
    label: cut(label, textLimit),
    type: pickup ? 'PICKUP' : 'SHIPPING',
    selected: option.selected,
    amount: exactAmount(cost.minor, cost.currency),
  }))
}

/**
 * Returns items and breakdown that add up to the total exactly, or undefined: PayPal refuses sums that are off by one.
 * A rounding difference becomes `handling` or `discount`, where it changes no line.
 */
function exactParts(facts: WalletOrderFacts): { breakdown: AmountBreakdown; items: ItemBody[] } | undefined {
  const { currency } = facts.total
  const sold = facts.lines.filter(({ subtotal }) => subtotal.minor >= 0)
  // PayPal accepts no negative items: they become discounts.
  const takenOff = facts.lines.reduce((sum, { subtotal }) => sum + Math.max(0, -subtotal.minor), 0)
  const itemTotal = sold.reduce((sum, { subtotal }) => sum + subtotal.minor, 0)

  let handling = Math.max(0, facts.fees.minor)
  let discount = facts.discount.minor + takenOff + Math.max(0, -facts.fees.minor)
  const missing = facts.total.minor - (itemTotal + facts.tax.minor + facts.shipping.minor + handling - discount)
  if (Math.abs(missing) > roundingLimit || facts.tax.minor < 0 || facts.shipping.minor < 0 || discount < 0) {
    return undefined
  }
  if (missing > 0) handling += missing
  else discount -= missing

  const figures = [itemTotal, facts.tax.minor, facts.shipping.minor, handling, discount, ...sold.map(minorOf)]
  if (sold.length === 0 || !figures.every((minor) => toAmount(money(minor, currency)))) return undefined
  return {
    breakdown: {
      item_total: exactAmount(itemTotal, currency),
      tax_total: exactAmount(facts.tax.minor, currency),
      shipping: exactAmount(facts.shipping.minor, currency),
      ...(handling > 0 ? { handling: exactAmount(handling, currency) } : {}),
      ...(discount > 0 ? { discount: exactAmount(discount, currency) } : {}),
    },
    items: sold.map(item),
  }
}

function item(line: WalletLine): ItemBody {
  const { minor, currency } = line.subtotal
  const splits = Number.isSafeInteger(line.quantity) && line.quantity >= 1 && minor % line.quantity === 0
  const unit = splits ? toAmount(money(minor / line.quantity, currency)) : undefined
  // A line that does not divide evenly is sent as one piece with its quantity in the name.
  const count = unit ? '' : ` × ${line.quantity}`
  return {
    name: lineName({ name: line.name, choices: line.choices ?? [] }, textLimit - count.length) + count,
    ...(line.sku ? { sku: cut(line.sku, textLimit) } : {}),
    quantity: unit ? String(line.quantity) : '1',
    unit_amount: unit ?? exactAmount(minor, currency),
    category: line.virtual ? 'DIGITAL_GOODS' : 'PHYSICAL_GOODS',
  }
}

const minorOf = ({ subtotal }: WalletLine) => subtotal.minor

function exactAmount(minor: number, currency: string): Amount {
  const amount = toAmount(money(minor, currency))
  if (!amount) throw new RangeError(`the wallet cannot write ${minor} minor units of ${currency}`)
  return amount
}

/** Returns the first `limit` code points: a cut inside a surrogate pair would send half a character. */
function cut(text: string, limit: number): string {
  const points = [...text]
  return points.length <= limit ? text : points.slice(0, limit).join('')
}
