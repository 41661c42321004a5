/** What the page's script and the frames of accelerated checkout say to each other. */

/** What a frame needs to call its own origin. */
export type FastlaneAccess = { clientToken: string; host: string }

export type FastlaneStyles = { [part: string]: Record<string, string> | string }

/** Handed to every frame that is drawn in the page or over it. */
export type FastlaneSetUp = FastlaneAccess & {
  styles: FastlaneStyles
  /** The text colour around the frame: it stands on whatever the page has behind it. */
  ink: string
  customerContextId?: string
  /** `US`, `US:CA`; empty: everywhere. */
  allowedLocations: readonly string[]
  /** Upper case; empty: all. */
  allowedBrands: readonly string[]
  cardholderName?: string
  shippingAddress?: FastlanePlace
  card?: ChosenCard
}

export type FastlanePlace = {
  addressLine1?: string
  addressLine2?: string
  adminArea1?: string
  adminArea2?: string
  postalCode?: string
  countryCode?: string
}

export type FastlaneShipping = {
  companyName: string
  name: { fullName: string; firstName: string; lastName: string }
  address: FastlanePlace
  phoneNumber: { countryCode: string; nationalNumber: string }
}

/** One of a member's own cards, by its place in their list. */
export type ChosenCard = { index: number; brand: string; lastDigits: string; expiry: string }

export type FastlaneToken = {
  id: string
  paymentSource: {
    card: { brand: string; expiry: string; lastDigits: string; name?: string; billingAddress?: FastlanePlace }
  }
}

export type MemberProfile = {
  name: { fullName: string; firstName: string; lastName: string }
  addresses: FastlaneShipping[]
  cards: Omit<ChosenCard, 'index'>[]
}

export type CodeOutcome = 'succeeded' | 'failed' | 'canceled' | 'unrecognized'
export type CardOutcome = { token: FastlaneToken; card?: ChosenCard }

/** `DE`, `US:CA` against an address. */
export function isAllowedPlace(place: FastlanePlace, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  return allowed.some((location) => {
    const [country, state] = location.split(':')
    return place.countryCode === country && (state === undefined || place.adminArea1 === state)
  })
}

/** Asks the provider from a frame of its own origin. */
export async function requestFastlane<Answer>(
  { clientToken, host }: FastlaneAccess,
  call: string,
  given: object = {},
): Promise<Answer> {
  const response = await fetch(`/sdk/fastlane/api/${encodeURIComponent(call)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${clientToken}`, 'content-type': 'application/json', 'x-page-host': host },
    body: JSON.stringify(given),
  })
  const answer: { error?: string } = await response.json()
  if (!response.ok) throw new Error(answer.error ?? `status ${response.status}`)
  // The call decides the answer, and both are this emulator's.
  return answer as Answer
}
