/** Countries in which buyers may pay later. */
const PAY_LATER_COUNTRIES = ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'AU', 'CA']

export type EligibilitySettings = {
  currency: string
  vault: boolean
  buyerCountry: string
  enableFunding: string[]
  disableFunding: string[]
  components: string[]
  /** What the control interface has decided, by source. */
  eligibility: Record<string, boolean>
}

/** Purpose of a button: charge now, agree to later charges, or save a payment method without a charge. */
export type Flow = 'purchase' | 'billing' | 'vault'

/** In the order in which a stack shows them. */
export const STACK_SOURCES = ['paypal', 'venmo', 'paylater', 'card']
const FLOWS: Record<string, readonly Flow[]> = {
  paypal: ['purchase', 'billing', 'vault'],
  card: ['purchase', 'billing'],
  venmo: ['purchase'],
  paylater: ['purchase'],
}

/** The sources of a stack: at most six below each other, two beside each other. */
export function stackSources(settings: EligibilitySettings, flow: Flow, layout: string): string[] {
  return STACK_SOURCES.filter((source) => isEligible(settings, source, flow))
    .filter((source) => source !== 'card' || !settings.components.includes('card-fields'))
    .slice(0, layout === 'horizontal' ? 2 : 6)
}

/** Whether a source may have a button. */
export function isEligible(settings: EligibilitySettings, source: string, flow: Flow): boolean {
  const { currency, vault, buyerCountry, enableFunding, disableFunding, eligibility } = settings
  if (disableFunding.includes(source) || !FLOWS[source]?.includes(flow)) return false
  const decided = eligibility[source]
  if (decided !== undefined) return decided
  switch (source) {
    case 'paypal':
    case 'card':
      return true
    case 'venmo':
      return enableFunding.includes('venmo') && buyerCountry === 'US' && currency === 'USD'
    case 'paylater':
      return enableFunding.includes('paylater') && PAY_LATER_COUNTRIES.includes(buyerCountry) && !vault
    default:
      return false
  }
}
