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
  return checkStyle(options.style ?? {}, source)
}

function checkStyle(style: ButtonStyle, fundingSource: string | undefined): CheckedStyle {
  const source = fundingSource ?? 'paypal'
  const colors = COLORS[source] ?? COLORS.paypal ?? []
  const layout = given(style.layout) ?? (fundingSource === undefined ? 'vertical' : 'horizontal')
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
  const height = style.height === undefined ? undefined : checkHeight(style.height)
  if (style.disableMaxHeight === true) {
    if (height !== undefined) throw new Error('style.height cannot be set along with style.disableMaxHeight')
    if (fundingSource === undefined || fundingSource === 'card') {
      throw new Error('style.disableMaxHeight is only allowed for a standalone button that is not card')
    }
  }
  const borderRadius = style.borderRadius === undefined ? undefined : checkBorderRadius(style.borderRadius)
  return { layout, color, shape, label, tagline, height, borderRadius, maxWidth: style.disableMaxWidth !== true }
}

/** Settings often hold an empty text where nothing was chosen; the script takes it as absent. */
function given(value: unknown): string | undefined {
  return value === undefined || value === '' || value === null ? undefined : String(value)
}

function checkTagline(value: unknown, layout: string, fundingSource: string | undefined): boolean {
  const tagline =
    value === undefined ? layout === 'horizontal' && fundingSource === undefined : value === true || value === 'true'
  if (tagline && layout === 'vertical') throw new Error('style.tagline is not allowed for vertical layout')
  return tagline
}

function checkHeight(height: unknown): number {
  if (typeof height !== 'number' || Number.isNaN(height)) {
    throw new TypeError(`Expected style.height to be a number, got: ${String(height)}`)
  }
  if (height < 25 || height > 55) {
    throw new Error(`Expected style.height to be between 25px and 55px - got ${height}px`)
  }
  return height
}

function checkBorderRadius(radius: unknown): number {
  if (typeof radius !== 'number' || Number.isNaN(radius)) {
    throw new TypeError(`Expected style.borderRadius to be a number, got: ${String(radius)}`)
  }
  if (radius < 0) throw new Error(`Expected style.borderRadius to be greater than or equal to 0, got: ${radius}`)
  return radius
}

const MESSAGE_CHOICES: Record<string, readonly string[]> = {
  align: ['left', 'center', 'right'],
  color: ['black', 'white'],
  position: ['top', 'bottom'],
}
const OFFERS = ['pay_later_short_term', 'pay_later_long_term']

function checkMessage(message: Record<string, unknown>): void {
  const { amount, offer } = message
  if (amount !== undefined && !(Number(amount) >= 0)) throw new TypeError(`Invalid message.amount: ${String(amount)}`)
  for (const [key, choices] of Object.entries(MESSAGE_CHOICES)) {
    const value = message[key]
    if (value !== undefined && !choices.includes(String(value))) {
      throw new TypeError(`Invalid message.${key}: ${String(value)}`)
    }
  }
  if (offer !== undefined && !(Array.isArray(offer) && offer.every((entry) => OFFERS.includes(entry)))) {
    throw new TypeError(`Invalid message.offer: ${String(offer)}`)
  }
}
