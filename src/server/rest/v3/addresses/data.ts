import { z } from 'zod'
import { v3Continent, v3Country, v3Currency, v3DataEntry } from '#contract/operations/v3-data.ts'
import { recordShape } from '#contract/shared/rest-input.ts'
import { urls } from '#contract/shared/urls.ts'
import { type Continent, continentOf, countryCodes, isCountry } from '#domain/addresses/countries.ts'
import { isCurrency } from '#domain/currency/currency-codes.ts'
import { countryName, stateChoices } from '#shop/addresses/allowed-countries.ts'
import { currencySymbol } from '#web/parts/currency/currency-symbol.ts'
import { linkedRecord } from '../resource/linked-record.ts'
import { type V3Context, v3Call } from '../resource/v3-call.ts'
import { V3Error } from '../resource/v3-error.ts'
import { onlyFields } from '../response-fields.ts'

const shape = z.looseObject(recordShape)
const shared = { method: 'GET', tag: 'data', input: shape } as const

const linked = (record: Readonly<Record<string, unknown>>, { tools }: V3Context, list: string, id: string) => {
  const root = tools.publicUrl + urls.rest(list)
  return { ...record, _links: { self: [{ href: `${root}/${id}` }], collection: [{ href: root }] } }
}

function countryRecord(code: string, language: string) {
  const states = stateChoices(code, language).map(({ value, label }) => ({ code: value, name: label }))
  return { code, name: countryName(language, code), states }
}

const continents: Readonly<Record<Continent, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
}

function continentRecord(code: Continent, language: string) {
  const own = countryCodes.filter((country) => continentOf(country) === code)
  return { code, name: continents[code], countries: own.map((country) => countryRecord(country, language)) }
}

const isContinent = (code: string): code is Continent => Object.hasOwn(continents, code)

/** Currencies that the runtime knows, historic ones included. */
function currencyRecord(code: string, language: string) {
  const name = new Intl.DisplayNames([language], { type: 'currency' }).of(code) ?? code
  return { code, name, symbol: currencySymbol(code) }
}

const invalidLocation = () =>
  new V3Error(404, 'woocommerce_rest_data_invalid_location', 'There are no locations matching these parameters.')

const entries = [
  { slug: 'continents', description: 'List of supported continents, countries, and states.' },
  { slug: 'countries', description: 'List of supported states in a given country.' },
  { slug: 'currencies', description: 'List of supported currencies.' },
]

/** `wc/v3/data`: names are in the shop's language. */
export const v3DataCalls = [
  v3Call({
    ...shared,
    name: 'data',
    summary: 'List the kinds of data',
    output: z.array(linkedRecord(v3DataEntry)),
    answer: async (context, { _fields: fields }) =>
      Response.json(entries.map((entry) => onlyFields(linked(entry, context, 'wc/v3/data', entry.slug), fields))),
  }),
  v3Call({
    ...shared,
    name: 'data/continents',
    summary: 'List the continents with their countries',
    output: z.array(linkedRecord(v3Continent)),
    async answer(context, { _fields: fields }) {
      const { language } = context.tools.settings
      const records = Object.keys(continents)
        .filter(isContinent)
        .map((code) => linked(continentRecord(code, language), context, 'wc/v3/data/continents', code.toLowerCase()))
      return Response.json(records.map((record) => onlyFields(record, fields)))
    },
  }),
  v3Call({
    ...shared,
    name: 'data/continents/:code',
    texts: ['code'],
    summary: 'Read a continent with its countries',
    output: linkedRecord(v3Continent),
    async answer(context, { _fields: fields }) {
      const code = String(context.path.code).toUpperCase()
      if (!isContinent(code)) throw invalidLocation()
      const record = continentRecord(code, context.tools.settings.language)
      return Response.json(onlyFields(linked(record, context, 'wc/v3/data/continents', code.toLowerCase()), fields))
    },
  }),
  v3Call({
    ...shared,
    name: 'data/countries',
    summary: 'List the countries with their states',
    output: z.array(linkedRecord(v3Country)),
    async answer(context, { _fields: fields }) {
      const { language } = context.tools.settings
      const records = countryCodes.map((code) =>
        linked(countryRecord(code, language), context, 'wc/v3/data/countries', code.toLowerCase()),
      )
      return Response.json(records.map((record) => onlyFields(record, fields)))
    },
  }),
  v3Call({
    ...shared,
    name: 'data/countries/:code',
    texts: ['code'],
    summary: 'Read a country with its states',
    output: linkedRecord(v3Country),
    async answer(context, { _fields: fields }) {
      const code = String(context.path.code).toUpperCase()
      if (!isCountry(code)) throw invalidLocation()
      const record = countryRecord(code, context.tools.settings.language)
      return Response.json(onlyFields(linked(record, context, 'wc/v3/data/countries', code.toLowerCase()), fields))
    },
  }),
  v3Call({
    ...shared,
    name: 'data/currencies',
    summary: 'List the currencies',
    output: z.array(linkedRecord(v3Currency)),
    async answer(context, { _fields: fields }) {
      const { language } = context.tools.settings
      const records = Intl.supportedValuesOf('currency').map((code) =>
        linked(currencyRecord(code, language), context, 'wc/v3/data/currencies', code.toLowerCase()),
      )
      return Response.json(records.map((record) => onlyFields(record, fields)))
    },
  }),
  v3Call({
    ...shared,
    name: 'data/currencies/:code',
    texts: ['code'],
    summary: "Read a currency; `current` is the shop's own",
    output: linkedRecord(v3Currency),
    async answer(context, { _fields: fields }) {
      const asked = String(context.path.code).toUpperCase()
      const code = asked === 'CURRENT' ? context.visit.app.ownCurrency : asked
      if (!isCurrency(code)) {
        const message = 'There are no currencies matching these parameters.'
        throw new V3Error(404, 'woocommerce_rest_data_invalid_currency', message)
      }
      const record = currencyRecord(code, context.tools.settings.language)
      return Response.json(onlyFields(linked(record, context, 'wc/v3/data/currencies', code.toLowerCase()), fields))
    },
  }),
]
