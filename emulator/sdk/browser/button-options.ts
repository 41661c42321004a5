export type ButtonStyle = {
  layout?: unknown
  color?: unknown
  shape?: unknown
  label?: unknown
  height?: unknown
  tagline?: unknown
  period?: unknown
  borderRadius?: unknown
  disableMaxWidth?: unknown
  disableMaxHeight?: unknown
}

type Actions = Record<string, unknown>
type Callback = (data: Record<string, unknown>, actions: Actions) => unknown

export type ButtonOptions = {
  fundingSource?: string
  style?: ButtonStyle
  message?: Record<string, unknown>
  appSwitchWhenAvailable?: boolean
  onInit?: Callback
  onClick?: Callback
  createOrder?: Callback
  createBillingAgreement?: Callback
  createVaultSetupToken?: Callback
  createSubscription?: Callback
  onShippingAddressChange?: Callback
  onShippingOptionsChange?: Callback
  onShippingChange?: Callback
  onApprove?: Callback
  onCancel?: Callback
  onError?: (error: unknown) => unknown
  onDestroy?: () => unknown
}

/** The look of a button once its style has passed every check. */
export type CheckedStyle = {
  layout: string
  color: string
  shape: string
  label: string
  tagline: boolean
  height: number | undefined
  borderRadius: number | undefined
  maxWidth: boolean
}

const LAYOUTS = ['vertical', 'horizontal']
const SHAPES = ['rect', 'pill', 'sharp']
const LABELS = ['paypal', 'checkout', 'buynow', 'pay', 'installment', 'subscribe', 'donate']

/** Colours by funding source; the first is the default. */
const COLORS: Record<string, readonly string[]> = {
  paypal: ['gold', 'blue', 'silver', 'black', 'white'],
  paylater: ['white', 'black', 'gold', 'blue', 'silver'],
  venmo: ['blue', 'silver', 'black', 'white'],
  card: ['black', 'white'],
  credit: ['darkblue', 'black', 'white'],
}

/** Checks what `paypal.Buttons` is given; a fault is thrown with the real script's text. */
export function checkButtonOptions(options: ButtonOptions, fundingSources: readonly string[]): CheckedStyle {
  const source = options.fundingSource
  if (source !== undefined && !fundingSources.includes(source)) throw new Error(`Invalid funding source: ${source}`)
  if (options.message) checkMessage(options.message)
  return checkStyle(options.style ?? {}, source, fundingSources)
}

function checkStyle(
  style: ButtonStyle,
  fundingSource: string | undefined,
  fundingSources: readonly string[],
): CheckedStyle {
  const source = fundingSource ?? 'paypal'
  const colors = COLORS[source] ?? COLORS.paypal ?? []
  // An empty text is no layout, unlike an empty colour, shape or label.
  const layout =
    style.layout === undefined ? (fundingSource === undefined ? 'vertical' : 'horizontal') : String(style.layout)
  if (!LAYOUTS.includes(layout)) throw new Error(`Invalid layout: ${layout}`)
  const color = given(style.color) ?? colors[0] ?? 'gold'
  if (!colors.includes(color)) {
    throw new Error(`Unexpected style.color for ${source} button: ${color}, expected ${colors.join(', ')}`)
  }
  const shape = given(style.shape) ?? 'rect'
  if (!SHAPES.includes(shape)) {
    throw new Error(`Unexpected style.shape for ${source} button: ${shape}, expected ${SHAPES.join(', ')}`)
  }
  const label = given(style.label) ?? 'paypal'
  if (!LABELS.includes(label)) throw new Error(`Invalid label: ${label}`)
  if (label !== 'installment' && style.period !== undefined) {
    throw new Error(`style.period is only allowed with the installment label`)
  }
  const tagline = checkTagline(style.tagline, layout, fundingSource)
  const height = style.height === undefined ? undefined : checkHeight(style.height, style.disableMaxHeight === true)
  checkMaxHeight(style, fundingSource, fundingSources)
  const borderRadius = style.borderRadius === undefined ? undefined : checkBorderRadius(style.borderRadius)
  return { layout, color, shape, label, tagline, height, borderRadius, maxWidth: style.disableMaxWidth !== true }
}

/** Settings often hold an empty text where nothing was chosen; the script takes it as absent. */
function given(value: unknown): string | undefined {
  return value === undefined || value === '' || value === null ? undefined : String(value)
}

function checkTagline(value: unknown, layout: string, fundingSource: string | undefined): boolean {
  const tagline =
    value === undefined ? layout === 'horizontal' && fundingSource === undefined : value !== 'false' && Boolean(value)
  if (tagline && layout === 'vertical') throw new Error('style.tagline is not allowed for vertical layout')
  return tagline
}

function checkHeight(height: unknown, unlimited: boolean): number {
  if (typeof height !== 'number' || Number.isNaN(height)) {
    throw new TypeError(`Expected style.height to be a number, got: ${String(height)}`)
  }
  if (unlimited) {
    throw new TypeError(`Unexpected style.height for style.disableMaxHeight: got: ${height}, expected undefined.`)
  }
  if (height < 25 || height > 55) {
    throw new Error(`Expected style.height to be between 25px and 55px - got ${height}px`)
  }
  return height
}

function checkMaxHeight(
  { disableMaxHeight }: ButtonStyle,
  fundingSource: string | undefined,
  fundingSources: readonly string[],
): void {
  if (disableMaxHeight === undefined) return
  if (typeof disableMaxHeight !== 'boolean') {
    throw new TypeError(`Expected style.disableMaxHeight to be a boolean, got: ${String(disableMaxHeight)}`)
  }
  if (fundingSource !== undefined && fundingSource !== 'card') return
  const others = fundingSources.filter((source) => source !== 'card').join(', ')
  throw new TypeError(
    `Unexpected fundingSource for style.disableMaxHeight: got: ${fundingSource ?? 'Smart Stack'}, expected ${others}.`,
  )
}

function checkBorderRadius(radius: unknown): number {
  if (typeof radius !== 'number' || Number.isNaN(radius)) {
    throw new TypeError(`Expected style.borderRadius to be a number, got: ${String(radius)}`)
  }
  if (radius < 0) throw new Error(`Expected style.borderRadius to be greater than or equal to 0, got: ${radius}`)
  return radius
}

const MESSAGE_CHOICES: Record<string, readonly string[]> = {
  color: ['black', 'white'],
  position: ['top', 'bottom'],
  align: ['left', 'center', 'right'],
}
const OFFERS = ['pay_later_short_term', 'pay_later_long_term']

function checkMessage(message: Record<string, unknown>): void {
  if (message.amount !== undefined) checkMessageAmount(message.amount)
  if (message.offer !== undefined) checkOffer(message.offer)
  for (const [key, choices] of Object.entries(MESSAGE_CHOICES)) {
    const value = message[key]
    if (value !== undefined && !choices.includes(String(value))) throw new Error(`Invalid ${key}: ${String(value)}`)
  }
}

function checkMessageAmount(given: unknown): void {
  const amount = typeof given === 'string' ? Number(given) : given
  if (typeof amount !== 'number' || Number.isNaN(amount)) {
    throw new TypeError(`Expected message.amount to be a number, got: ${String(amount)}`)
  }
  if (amount < 0) throw new Error(`Expected message.amount to be a positive number, got: ${amount}`)
}

/** A list, or a text with commas. */
function checkOffer(given: unknown): void {
  const offer: unknown = typeof given === 'string' ? given.split(',') : given
  if (!Array.isArray(offer)) {
    throw new TypeError(`Expected message.offer to be an array of strings, got: ${String(offer)}`)
  }
  const invalid = offer.filter((entry) => !OFFERS.includes(entry))
  if (invalid.length > 0) throw new Error(`Invalid offer(s): ${invalid.join(',')}`)
}
