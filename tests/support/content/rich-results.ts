/**
 * What search engines ask of structured data before they show it, as data: for each type of schema.org that the shop uses
 * the properties it may have, what their values look like, and which must be there for the rich result. Written from the
 * published documentation, apart from the code that makes the data.
 */
type Check = (value: unknown) => string | null
type Rule = {
  required: Record<string, Check>
  recommended?: Record<string, Check>
  anyOf?: readonly (readonly string[])[]
}

const is =
  (what: string, test: (value: string) => boolean): Check =>
  (value) =>
    typeof value === 'string' && test(value) ? null : `is no ${what}: ${JSON.stringify(value)}`
const text = is('text', (value) => value.trim() !== '' && !/<[a-z/]/i.test(value))
const url = is('absolute address', (value) => URL.canParse(value) && /^https?:/.test(value))
const price = is('price like 12.50', (value) => /^\d+(\.\d{1,4})?$/.test(value))
const currency = is('currency', (value) => /^[A-Z]{3}$/.test(value))
const country = is('country', (value) => /^[A-Z]{2}$/.test(value))
const date = is('date', (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)))
const email = is('email address', (value) => /^\S+@\S+$/.test(value))
const number: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? null : `is no number: ${String(value)}`
const oneOf = (...names: string[]) =>
  is(names.join(' or '), (value) => names.some((name) => value === `https://schema.org/${name}`))
const literal = (wanted: string) => is(wanted, (value) => value === wanted)
const reference: Check = (value) => {
  const { '@id': id, ...others } = Object(value)
  return typeof id === 'string' && Object.keys(others).length === 0 ? null : 'is no reference to a thing'
}
const some =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return check(value)
    if (value.length === 0) return 'is empty'
    return value.map(check).find((fault) => fault !== null) ?? null
  }
const thing =
  (...types: string[]): Check =>
  (value) => {
    const type = Object(value)['@type']
    if (!types.includes(type)) return `is no ${types.join(' or ')} but ${String(type)}`
    return faultsOf(value).join('; ') || null
  }

const gtin = is('GTIN', (value) => /^(\d{8}|\d{12,14})$/.test(value))
const offers = { availability: oneOf('InStock', 'OutOfStock', 'BackOrder', 'PreOrder', 'LimitedAvailability') }
const product: Record<string, Check> = {
  url,
  description: text,
  image: some(url),
  brand: thing('Brand'),
  category: text,
  mpn: text,
  color: text,
  size: text,
  material: text,
  pattern: text,
  weight: thing('QuantitativeValue'),
  aggregateRating: thing('AggregateRating'),
  additionalProperty: some(thing('PropertyValue')),
}

const rules: Readonly<Record<string, Rule>> = {
  Product: {
    required: { name: text },
    recommended: { ...product, sku: text, gtin, offers: thing('Offer', 'AggregateOffer') },
    anyOf: [['offers', 'aggregateRating', 'review']],
  },
  ProductGroup: {
    required: { name: text, productGroupID: text, variesBy: some(text), hasVariant: some(thing('Product')) },
    recommended: product,
  },
  Offer: {
    required: { price, priceCurrency: currency, ...offers, url },
    recommended: {
      itemCondition: oneOf('NewCondition', 'UsedCondition', 'RefurbishedCondition'),
      priceSpecification: thing('UnitPriceSpecification'),
      priceValidUntil: date,
      seller: reference,
      shippingDetails: some(thing('OfferShippingDetails')),
    },
  },
  // The struck-through price alone: the price that is asked stands in the offer.
  UnitPriceSpecification: { required: { price, priceCurrency: currency, priceType: oneOf('StrikethroughPrice') } },
  AggregateOffer: {
    required: { lowPrice: price, priceCurrency: currency },
    recommended: {
      ...offers,
      highPrice: price,
      offerCount: number,
      url,
      itemCondition: oneOf('NewCondition', 'UsedCondition', 'RefurbishedCondition'),
      seller: reference,
    },
  },
  AggregateRating: { required: { ratingValue: number, ratingCount: number }, recommended: { bestRating: number } },
  Brand: { required: { name: text } },
  PropertyValue: { required: { name: text, value: text } },
  QuantitativeValue: { required: { value: number, unitCode: text } },
  OfferShippingDetails: {
    required: { shippingRate: thing('MonetaryAmount'), shippingDestination: thing('DefinedRegion') },
  },
  MonetaryAmount: { required: { value: price, currency } },
  DefinedRegion: { required: { addressCountry: country } },
  BreadcrumbList: { required: { itemListElement: some(thing('ListItem')) } },
  ListItem: { required: { position: number, name: text }, recommended: { item: url, url }, anyOf: [['item', 'url']] },
  ItemList: { required: { itemListElement: some(thing('ListItem')) }, recommended: { numberOfItems: number } },
  CollectionPage: {
    required: { name: text, url, mainEntity: thing('ItemList') },
    recommended: { description: text, image: url, inLanguage: text, isPartOf: reference },
  },
  OnlineStore: {
    required: { name: text, url },
    recommended: {
      legalName: text,
      description: text,
      logo: url,
      image: url,
      email,
      telephone: text,
      address: thing('PostalAddress'),
      sameAs: some(url),
      hasMerchantReturnPolicy: thing('MerchantReturnPolicy'),
    },
  },
  PostalAddress: { required: { addressCountry: country } },
  MerchantReturnPolicy: {
    required: {
      applicableCountry: some(country),
      returnPolicyCategory: oneOf('MerchantReturnFiniteReturnWindow', 'MerchantReturnNotPermitted'),
    },
    recommended: {
      merchantReturnDays: number,
      returnPolicyCountry: country,
      returnMethod: oneOf('ReturnByMail'),
      returnFees: oneOf('FreeReturn', 'ReturnFeesCustomerResponsibility'),
    },
  },
  WebSite: {
    required: { name: text, url, potentialAction: thing('SearchAction') },
    recommended: { inLanguage: text, publisher: reference },
  },
  SearchAction: {
    required: { target: thing('EntryPoint'), 'query-input': literal('required name=search_term_string') },
  },
  EntryPoint: { required: { urlTemplate: is('template', (value) => value.includes('{search_term_string}')) } },
}

/** Everything that is wrong with an object of schema.org, each as `Product.offers: …`. */
export function faultsOf(value: unknown): string[] {
  const given = Object(value) as Record<string, unknown>
  const type = String(given['@type'])
  const rule = rules[type]
  if (!rule) return [`${type}: is no type that the shop should use`]
  const checks: Record<string, Check> = {
    ...rule.recommended,
    ...rule.required,
    '@id': url,
    '@context': literal('https://schema.org'),
  }
  const missing = Object.keys(rule.required).filter((name) => !(name in given))
  const none = (rule.anyOf ?? []).filter((names) => names.every((name) => !(name in given)))
  return [
    ...missing.map((name) => `${type}.${name}: is missing`),
    ...none.map((names) => `${type}: has none of ${names.join(', ')}`),
    ...Object.entries(given).flatMap(([name, member]) => {
      if (name === '@type') return []
      const check = checks[name]
      const fault = check ? check(member) : 'is no property that it may have'
      return fault === null ? [] : [`${type}.${name}: ${fault}`]
    }),
  ]
}

/** The objects that a page carries. */
export function structuredData(html: string): Record<string, unknown>[] {
  const elements = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)]
  return elements.map(([, json = '']) => JSON.parse(json) as Record<string, unknown>)
}
