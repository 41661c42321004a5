import type { ButtonOptions } from './button-options.ts'
import { createButtons, type Destroyable } from './buttons.ts'
import { type CardFieldsOptions, type CardFieldsSettings, createCardFields } from './card-fields.ts'
import { isEligible } from './eligibility.ts'
import { type FastlaneOptions, startFastlane } from './fastlane.ts'
import { createMarks, type MarksOptions } from './marks.ts'
import { createMessages, type MessageOptions } from './messages.ts'

type Sdk = Record<string, unknown> & { version?: unknown; __internal_destroy__?: unknown }

const PAGE_TYPES = [
  'home',
  'product',
  'cart',
  'checkout',
  'product-listing',
  'search-results',
  'product-details',
  'mini-cart',
]

/** Puts the script's object on the page. Runs once, while the script's own element is the current one. */
export function installSdk(settings: CardFieldsSettings): void {
  const element = document.currentScript
  const attribute = (name: string) => element?.getAttribute(name) ?? undefined
  checkAttributes(attribute, settings.merchantId)
  const namespace = attribute('data-namespace') ?? 'paypal'
  // The page's global object is the one place where a name given by the page can be defined.
  const page = window as unknown as Record<string, Sdk | undefined>
  replaceEarlier(page, namespace, settings.version)
  element?.setAttribute('data-uid-auto', `uid_${Math.random().toString(36).slice(2, 12)}`)

  const userToken = attribute('data-user-id-token')
  if (userToken !== undefined) settings = { ...settings, userToken }
  const living = new Set<Destroyable>()
  const sdk: Sdk = { version: settings.version }
  if (settings.components.includes('buttons')) {
    sdk.Buttons = (options: ButtonOptions = {}) => createButtons(settings, living, options)
  }
  if (settings.components.includes('marks')) {
    sdk.Marks = (options: MarksOptions = {}) => createMarks(settings, options)
  }
  if (settings.components.includes('messages')) {
    sdk.Messages = (options: MessageOptions = {}) => createMessages(settings, living, options)
  }
  if (settings.components.includes('card-fields')) {
    sdk.CardFields = (options: CardFieldsOptions = {}) => createCardFields(settings, living, options)
  }
  if (settings.components.includes('fastlane')) {
    const clientToken = attribute('data-sdk-client-token')
    let started: ReturnType<typeof startFastlane> | undefined
    sdk.Fastlane = (options: FastlaneOptions = {}) => {
      started ??= startFastlane(settings, living, clientToken, options)
      return started
    }
  }
  if (settings.components.includes('buttons') || settings.components.includes('funding-eligibility')) {
    sdk.FUNDING = Object.fromEntries(settings.fundingSources.map((source) => [source.toUpperCase(), source]))
    sdk.getFundingSources = () => settings.fundingSources.filter((source) => isEligible(settings, source, 'purchase'))
    sdk.isFundingEligible = (source: string) => {
      if (!settings.fundingSources.includes(source)) throw new Error(`Funding source ${source} is not supported`)
      return isEligible(settings, source, 'purchase')
    }
    sdk.rememberFunding = () => {}
  }
  Object.defineProperty(sdk, '__internal_destroy__', {
    enumerable: false,
    value: (error?: Error) => {
      const reason = error ?? new Error(`SDK instance destroyed (${namespace} / ${settings.version})`)
      for (const component of [...living]) component.destroy(reason)
      element?.remove()
      if (page[namespace] === sdk) delete page[namespace]
    },
  })
  page[namespace] = sdk
}

function checkAttributes(attribute: (name: string) => string | undefined, merchantId: string): void {
  const pageType = attribute('data-page-type')
  if (pageType !== undefined && !PAGE_TYPES.includes(pageType)) throw new Error(`Invalid page type, '${pageType}'`)
  const amount = attribute('data-amount')
  if (amount !== undefined && !/^\d+\.\d\d$/.test(amount)) throw new Error(`Invalid amount: ${amount}`)
  if (attribute('data-user-id-token') !== undefined && attribute('data-sdk-client-token') !== undefined) {
    throw new Error('Do not pass SDK token and ID token')
  }
  if (merchantId === '*' && attribute('data-merchant-id') === undefined) {
    throw new Error('Must pass data-merchant-id when merchant-id=* passed in url')
  }
}

function replaceEarlier(page: Record<string, Sdk | undefined>, namespace: string, version: string): void {
  const earlier = page[namespace]
  if (!earlier) return
  if (typeof earlier.__internal_destroy__ === 'function') {
    earlier.__internal_destroy__(
      new Error(`New SDK instance loaded, existing instance destroyed (${namespace} / ${version})`),
    )
  } else if (String(earlier.version).startsWith('6.')) {
    page.__paypal_sdk__ = { ...page.__paypal_sdk__, v6: earlier }
  } else {
    throw new Error(
      `Attempted to load sdk version ${version} on page, but window.${namespace} at version ${String(earlier.version)} ` +
        'already loaded. To load this sdk alongside the existing version, give it another name with data-namespace.',
    )
  }
}
