import type { Destroyable, SdkSettings } from './buttons.ts'
import { openDialogFrame } from './dialog-frame.ts'
import { drawFastlaneFrame } from './fastlane-part.ts'
import {
  type CardOutcome,
  type ChosenCard,
  type CodeOutcome,
  type FastlanePlace,
  type FastlaneSetUp,
  type FastlaneShipping,
  type FastlaneStyles,
  type FastlaneToken,
  isAllowedPlace,
  type MemberProfile,
} from './fastlane-wire.ts'
import { lineToFrame } from './line.ts'

export type FastlaneOptions = {
  styles?: FastlaneStyles
  shippingAddressOptions?: { allowedLocations?: string[] }
  cardOptions?: { allowedBrands?: string[] }
}

type ComponentOptions = {
  styles?: FastlaneStyles
  fields?: { cardholderName?: { enabled?: boolean; prefill?: string }; phoneNumber?: { prefill?: string } }
  shippingAddress?: FastlaneShipping | FastlanePlace
}

type Component = { render(container: string | HTMLElement): Promise<void> }
type CardComponent = Component & {
  getPaymentToken(given?: { name?: string; billingAddress?: FastlanePlace }): Promise<FastlaneToken>
}
type PaymentComponent = Component & {
  getPaymentToken(): Promise<FastlaneToken>
  setShippingAddress(address: FastlaneShipping | FastlanePlace | undefined): Promise<void>
}

type Profile = {
  name?: MemberProfile['name']
  shippingAddress?: FastlaneShipping
  card?: FastlaneToken
}

const FASTLANE_LOCALES = ['en_us', 'es_us', 'fr_us', 'zh_us']
const FASTLANE_MS = 15_000

/** Accelerated checkout for the page whose script's element carries `clientToken`. */
export async function startFastlane(
  settings: SdkSettings,
  living: Set<Destroyable>,
  clientToken: string | undefined,
  { styles = {}, shippingAddressOptions, cardOptions }: FastlaneOptions,
) {
  if (!clientToken) throw new Error('Fastlane needs an SDK client token: data-sdk-client-token is missing')
  const { origin } = settings
  const access = { clientToken, host: location.hostname }
  const allowedLocations = shippingAddressOptions?.allowedLocations ?? []
  const allowedBrands = (cardOptions?.allowedBrands ?? []).map((brand) => brand.toUpperCase())
  const call = await openFastlaneLine(settings, living, clientToken)
  const { active } = await call<{ active: boolean }>('hello')

  let locale = 'en_us'
  let customerContextId: string | undefined
  let chosenAddress: FastlaneShipping | undefined
  let chosenCard: ChosenCard | undefined
  let chosenToken: FastlaneToken | undefined
  const drawnCards = new Set<(card: ChosenCard | undefined) => void>()

  const setUp = (more: Partial<FastlaneSetUp> = {}): FastlaneSetUp => ({
    ...access,
    styles,
    ink: '',
    allowedLocations,
    allowedBrands,
    ...(customerContextId === undefined ? {} : { customerContextId }),
    ...(chosenCard ? { card: chosenCard } : {}),
    ...more,
  })

  function dialog<Outcome>(kind: string, title: string, details: FastlaneSetUp): Promise<Outcome | undefined> {
    return openDialogFrame<Outcome>(origin, {
      title,
      name: `__zoid__paypal_fastlane_${kind}__`,
      url: `${origin}/sdk/fastlane/frame/${kind}?locale=${locale}`,
      details,
    })
  }

  async function triggerAuthenticationFlow(
    contextId: string,
  ): Promise<{ authenticationState: CodeOutcome; profileData: Profile }> {
    if (!active) return { authenticationState: 'unrecognized', profileData: {} }
    const outcome = await dialog<CodeOutcome>('code', 'Fastlane', setUp({ customerContextId: String(contextId) }))
    if (outcome !== 'succeeded') return { authenticationState: outcome ?? 'canceled', profileData: {} }
    customerContextId = String(contextId)
    return { authenticationState: 'succeeded', profileData: await readProfile() }
  }

  /** The address that the shop sends to, and a card that it takes, ready to pay once. */
  async function readProfile(): Promise<Profile> {
    const { name, addresses, cards } = await call<MemberProfile>('profile', { customerContextId })
    chosenAddress = addresses.find(({ address }) => isAllowedPlace(address, allowedLocations))
    const index = cards.findIndex(({ brand }) => allowedBrands.length === 0 || allowedBrands.includes(brand))
    const first = cards[index]
    takeCard(first ? { index, ...first } : undefined)
    chosenToken = chosenCard ? await call<FastlaneToken>('card', { customerContextId, index }) : undefined
    return {
      name,
      ...(chosenAddress ? { shippingAddress: chosenAddress } : {}),
      ...(chosenToken ? { card: chosenToken } : {}),
    }
  }

  function takeCard(card: ChosenCard | undefined): void {
    chosenCard = card
    for (const tell of drawnCards) tell(card)
  }

  async function showShippingAddressSelector() {
    if (!active || customerContextId === undefined) return undefined
    const place = chosenAddress ? { shippingAddress: chosenAddress.address } : {}
    const selected = await dialog<FastlaneShipping>('addresses', 'Fastlane', setUp(place))
    if (selected) chosenAddress = selected
    return { selectionChanged: selected !== undefined, ...(chosenAddress ? { selectedAddress: chosenAddress } : {}) }
  }

  async function showCardSelector() {
    if (!active || customerContextId === undefined) return undefined
    const selected = await dialog<CardOutcome>('cards', 'Fastlane', setUp())
    if (selected) {
      takeCard(selected.card)
      chosenToken = selected.token
    }
    return { selectionChanged: selected !== undefined, ...(chosenToken ? { selectedCard: chosenToken } : {}) }
  }

  function payment(kind: 'card' | 'payment', { styles: own, fields, shippingAddress }: ComponentOptions) {
    const holder = fields?.cardholderName
    let shipping = shippingAddress && placeOf(shippingAddress)
    const part = drawFastlaneFrame(settings, living, {
      kind,
      title: 'Fastlane',
      query: { locale, ...(holder?.enabled ? { name: '1' } : {}) },
      setUp: (ink) =>
        setUp({
          ink,
          styles: { ...styles, ...own },
          ...(holder?.prefill ? { cardholderName: holder.prefill } : {}),
          ...(shipping ? { shippingAddress: shipping } : {}),
        }),
      answers: { 'change card': () => void showCardSelector() },
    })
    // One that is not drawn yet hears of the card when it is set up.
    drawnCards.add((card) => void part.ask('card', { customerContextId, card }).catch(() => {}))
    return {
      ...part,
      /** One that is not drawn yet shows it when it is. */
      async setShippingAddress(address: FastlaneShipping | FastlanePlace | undefined): Promise<void> {
        shipping = address && placeOf(address)
        if (part.isDrawn()) await part.ask('shipping', shipping)
      },
    }
  }

  return {
    identity: {
      async lookupCustomerByEmail(email: string): Promise<{ customerContextId?: string }> {
        return active ? call('lookup', { email }) : { customerContextId: '' }
      },
      triggerAuthenticationFlow,
    },
    profile: { showShippingAddressSelector, showCardSelector },
    setLocale(wanted: string): void {
      if (FASTLANE_LOCALES.includes(wanted)) locale = wanted
      else console.warn(`[Fastlane] locale is not known: ${wanted}, expected ${FASTLANE_LOCALES.join(', ')}`)
    },
    async FastlaneWatermarkComponent({ includeAdditionalInfo = false } = {}): Promise<Component> {
      const part = drawFastlaneFrame(settings, living, {
        kind: 'watermark',
        title: 'Fastlane by PayPal',
        query: { locale, ...(includeAdditionalInfo ? { info: '1' } : {}) },
        setUp: (ink) => setUp({ ink }),
        answers: {},
      })
      return { render: part.render }
    },
    async FastlaneCardComponent(options: ComponentOptions = {}): Promise<CardComponent> {
      const part = payment('card', options)
      return { render: part.render, getPaymentToken: (given = {}) => part.ask('token', given) }
    },
    async FastlanePaymentComponent(options: ComponentOptions = {}): Promise<PaymentComponent> {
      const part = payment('payment', options)
      return {
        render: part.render,
        getPaymentToken: () => part.ask('token', {}),
        setShippingAddress: part.setShippingAddress,
      }
    },
  }
}

/** A profile's address, or its inner part alone. */
function placeOf(given: FastlaneShipping | FastlanePlace): FastlanePlace {
  return 'address' in given ? given.address : given
}

type FastlaneCall = <Answer>(name: string, given?: object) => Promise<Answer>

/** A frame that nobody sees, on the provider's origin: the page's own calls would need leave of its policy. */
function openFastlaneLine(settings: SdkSettings, living: Set<Destroyable>, clientToken: string): Promise<FastlaneCall> {
  const frame = document.createElement('iframe')
  frame.name = '__zoid__paypal_fastlane__'
  frame.title = 'Fastlane'
  frame.tabIndex = -1
  frame.setAttribute('aria-hidden', 'true')
  Object.assign(frame.style, { position: 'absolute', width: '0', height: '0', border: '0', visibility: 'hidden' })
  frame.src = `${settings.origin}/sdk/fastlane/frame/line`
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Loading Fastlane timed out')), FASTLANE_MS)
    const line = lineToFrame(frame, settings.origin, {}, () => {
      clearTimeout(timer)
      resolve((name, given = {}) => line.ask('call', { access: { clientToken, host: location.hostname }, name, given }))
    })
    const part: Destroyable = {
      destroy(reason) {
        clearTimeout(timer)
        reject(reason)
        line.close()
        frame.remove()
        living.delete(part)
      },
    }
    living.add(part)
    document.body.append(frame)
  })
}
