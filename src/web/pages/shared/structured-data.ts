import type { TermFacts } from '#shop/catalog/catalog-facts.ts'

/**
 * Objects of schema.org in pages for search engines (JSON-LD). They contain only data that the page shows; unknown data
 * is left out, never guessed.
 */
export type Thing = Readonly<Record<string, unknown>> & { readonly '@type': string }

/** A page's own root object. */
export const rootThing = (thing: Thing): Thing => ({ '@context': 'https://schema.org', ...thing })

/** Leaves out members without a value, so that nothing empty is told. */
export function definedMembers(members: Readonly<Record<string, unknown>> & { readonly '@type': string }): Thing {
  const kept = Object.entries(members).filter(
    ([, value]) =>
      value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return { ...Object.fromEntries(kept), '@type': members['@type'] }
}

export const organizationId = (origin: string) => `${origin}/#organization`

export type OrganizationFacts = {
  name: string
  legalName: string
  description: string
  email: string
  phone: string
  profiles: readonly string[]
  logoUrl: string
  imageUrl: string
  country: string
  returns: { days: number; cost: 'free' | 'customer'; countries: readonly string[] } | null
}

/** Returns the seller. @param home URL of its front page */
export function organization(origin: string, home: string, facts: OrganizationFacts): Thing {
  return definedMembers({
    '@type': 'OnlineStore',
    '@id': organizationId(origin),
    name: facts.name,
    legalName: facts.legalName,
    description: facts.description,
    url: home,
    logo: facts.logoUrl,
    image: facts.imageUrl,
    email: facts.email,
    telephone: facts.phone,
    address: { '@type': 'PostalAddress', addressCountry: facts.country },
    sameAs: facts.profiles,
    hasMerchantReturnPolicy: facts.returns && returnPolicy(facts.returns, facts.country),
  })
}

function returnPolicy({ days, cost, countries }: NonNullable<OrganizationFacts['returns']>, home: string): Thing {
  const applicableCountry = countries.length > 0 ? countries : [home]
  if (days === 0) {
    return {
      '@type': 'MerchantReturnPolicy',
      applicableCountry,
      returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted',
    }
  }
  return {
    '@type': 'MerchantReturnPolicy',
    applicableCountry,
    returnPolicyCountry: home,
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: days,
    returnMethod: 'https://schema.org/ReturnByMail',
    returnFees: `https://schema.org/${cost === 'free' ? 'FreeReturn' : 'ReturnFeesCustomerResponsibility'}`,
  }
}

export const webSiteId = (home: string) => `${home}#website`

/**
 * Returns the shop in one language.
 * @param home URL of its front page
 * @param searchTemplate URL of a search, with `{search_term_string}` for the term
 */
export function webSite(origin: string, home: string, name: string, language: string, searchTemplate: string): Thing {
  return {
    '@type': 'WebSite',
    '@id': webSiteId(home),
    url: home,
    name,
    inLanguage: language,
    publisher: { '@id': organizationId(origin) },
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: searchTemplate },
      'query-input': 'required name=search_term_string',
    },
  }
}

/** Returns the path to a page as in its breadcrumbs; the last step is the page itself. */
export function breadcrumbList(origin: string, steps: readonly Pick<TermFacts, 'name' | 'url'>[]): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, place) => ({
      '@type': 'ListItem',
      position: place + 1,
      name,
      item: origin + url,
    })),
  }
}

export type CollectionFacts = {
  /** URL of the site's front page. */
  home: string
  language: string
  name: string
  description: string
  url: string
  imageUrl: string
  /** The number of products on all pages. */
  total: number
  /** The position of this page's first product among all, from 1. */
  first: number
  items: readonly { name: string; url: string }[]
}

/** Returns a listing: its name, and the products on this page of it. */
export function collectionPage(origin: string, facts: CollectionFacts): Thing {
  return definedMembers({
    '@type': 'CollectionPage',
    name: facts.name,
    description: facts.description,
    url: origin + facts.url,
    image: facts.imageUrl,
    inLanguage: facts.language,
    isPartOf: { '@id': webSiteId(facts.home) },
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: facts.total,
      itemListElement: facts.items.map(({ name, url }, place) => ({
        '@type': 'ListItem',
        position: facts.first + place,
        name,
        url: origin + url,
      })),
    },
  })
}
