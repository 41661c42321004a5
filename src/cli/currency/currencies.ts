import { open } from 'node:fs/promises'
import { currencyCode } from '#contract/currency/settings.ts'
import { ratesOfHistory, readRatesState, refusedRates } from '#database/currency/exchange-rates.ts'
import { ratesIn, ratesLimitBytes } from '#shop/currency/fetch-exchange-rates.ts'
import { type CurrencyChange, removeCurrency, setCurrency } from '#shop/currency/manage-currencies.ts'
import { currencyStates } from '#shop/currency/offered-currencies.ts'
import { type AutomaticRates, automaticCodes, saveAutomaticRates } from '#shop/currency/store-exchange-rates.ts'
import { updateRates } from '#shop/currency/update-exchange-rates.ts'
import type { CommandContext } from '../shared/command.ts'
import {
  commandGroup,
  type Given,
  jsonOption,
  listGiven,
  type Options,
  printFaults,
  textGiven,
} from '../shared/command-group.ts'
import { fileTrouble } from '../shared/file-error.ts'
import { type Column, listOptions, pageGiven, printList } from '../shared/listing.ts'
import { counted, fail, rejectUsage, warn } from '../shared/messages.ts'
import { printable, tableLines } from '../shared/table.ts'
import { currencyRows, refusedText, shownCurrency, sourceNames, sourceText, takenRows } from './currency-text.ts'

const acceptOption = {
  accept: { type: 'boolean', what: 'accepts rates however much they have changed' },
} as const satisfies Options

const entryOptions = {
  fee: { type: 'string', value: '<figure>', what: 'added to the rate: 2.5% of it, or +0.05; 0 for none' },
  symbol: { type: 'string', value: '<symbol>', what: 'the currency symbol; "" for the usual one' },
  position: {
    type: 'string',
    value: '<place>',
    completes: ['left', 'right', 'left_space', 'right_space'],
    what: 'of the symbol: left, right, left_space or right_space; "" as in the shop currency',
  },
  decimals: { type: 'string', value: '<number>', what: '0 to 4; "" for those of the currency' },
  round: {
    type: 'string',
    value: '<how>',
    completes: ['up', 'down', 'nearest', 'disabled'],
    what: 'rounds prices to multiples of the step: up, down, nearest or disabled',
  },
  step: { type: 'string', value: '<amount>', what: 'the step of rounding' },
  subtract: { type: 'string', value: '<amount>', what: 'subtracted after rounding: 0.01 turns 25 into 24.99' },
  checkout: {
    type: 'string',
    value: '<yes or no>',
    completes: ['yes', 'no'],
    what: 'whether customers may pay in it, where the shop allows other currencies',
  },
  methods: { type: 'string', value: '<id>', multiple: true, what: 'the payment methods that accept it; "" for all' },
  countries: {
    type: 'string',
    value: '<code>',
    multiple: true,
    what: 'visitors from these countries see it first; "" for none',
  },
} as const satisfies Options

const optionOf = {
  ...{ rate: 'the rate', fee: '--fee', symbol: '--symbol', position: '--position', decimals: '--decimals' },
  ...{ rounding: '--round', 'rounding.step': '--step', 'rounding.subtract': '--subtract', 'rounding.type': '--round' },
  ...{ checkout: '--checkout', paymentMethods: '--methods', countries: '--countries' },
}

export const currenciesCommand = commandGroup('currencies', {
  list: {
    usage: '[--json]',
    summary: 'Lists currencies with rate, date, source, the price of 100 and whether each is offered.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    run: (_, { json }, context) => list(json === true, context),
  },

  rates: {
    usage: '[<code>] [options]',
    summary: 'Lists earlier rates including rejected ones, newest first.',
    example: 'EUR',
    options: { ...listOptions },
    words: [0, 1],
    completes: ['currency'],
    run: ([code], given, context) => history(code, given, context),
  },

  update: {
    usage: '[--accept] [--json]',
    summary: 'Fetches rates from the source now.',
    example: '',
    options: { ...acceptOption, ...jsonOption },
    words: [0, 0],
    async run(_, { accept, json }, context) {
      return printTaken(await updateRates(context, { accept: accept === true }), json === true, context)
    },
  },

  import: {
    usage: '<file> [--accept] [--json]',
    summary: 'Imports rates from a file: XML or CSV of the European Central Bank, or open rates as JSON.',
    example: 'eurofxref.xml',
    options: { ...acceptOption, ...jsonOption },
    words: [1, 1],
    run: ([file = ''], given, context) => importFile(file, given, context),
  },

  set: {
    usage: '<code> [<rate>|auto] [options]',
    summary: 'Adds or changes a currency. The rate is its amount for 1 of the shop currency.',
    example: 'EUR auto --fee 2.5%',
    options: { ...entryOptions, ...jsonOption },
    words: [1, 2],
    completes: ['currency', ['auto']],
    run: ([code = '', rate], given, context) => set(code, rate, given, context),
  },

  remove: {
    usage: '<code>',
    summary: 'Removes a currency. Orders placed in it are unchanged.',
    example: 'EUR',
    options: {},
    words: [1, 1],
    completes: ['currency'],
    async run([word = ''], _, context) {
      const code = word.toUpperCase()
      if (!(await removeCurrency(context, code)))
        return fail(context, `currency "${code}" is not set up. List currencies: currencies list`)
      context.say(`Removed currency ${code}. Running shops were notified.`)
      return 0
    },
  },
})

async function list(json: boolean, context: CommandContext): Promise<number> {
  const { db, settings, clock, print, say } = context
  const own = settings.currency
  const [state, refused] = await Promise.all([readRatesState(db.kysely), refusedRates(db.kysely, own)])
  const refusedOf = new Map(refused.map((rate) => [rate.code, rate]))
  const shown = currencyStates(context, clock.now()).map((entry) =>
    shownCurrency(own, entry, refusedOf.get(entry.code)),
  )
  if (json) {
    const { source, maxAgeDays } = settings.exchange.rates
    const { askedAt, cameAt, notBefore, failures, fault } = state
    print(
      JSON.stringify({
        own,
        source,
        maxAgeDays,
        asking: { askedAt, cameAt, notBefore, failures, fault },
        currencies: shown,
      }),
    )
    return 0
  }
  if (shown.length === 0) {
    say(`The shop has no currency beside ${own}. Add one: currencies set EUR auto`)
    return 0
  }
  const rows = currencyRows(own, settings.exchange.rates.maxAgeDays, shown)
  for (const line of tableLines(rows, [1, 2, 3, 6])) print(line)
  for (const line of shown.flatMap(refusedText)) warn(context, line)
  say(printable(sourceText(context, state, automaticCodes(settings))))
  return 0
}

async function history(word: string | undefined, given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  if (typeof page === 'string') return rejectUsage(context, page)
  const code = word?.toUpperCase() ?? null
  const rates = await ratesOfHistory(context.db.kysely, context.settings.currency, code, mostOfHistory)
  const columns: Column<(typeof rates)[number]>[] = [
    { title: 'Day', cell: ({ day }) => day },
    { title: 'Code', cell: ({ code }) => code },
    { title: `For 1 ${context.settings.currency}`, right: true, cell: ({ rate }) => rate },
    { title: 'From', cell: ({ source }) => sourceNames[source], csv: ({ source }) => source },
    {
      title: '',
      cell: ({ refused }) => (refused ? 'refused' : ''),
      csv: ({ refused }) => (refused ? 'refused' : ''),
    },
  ]
  printList(context, given, page, {
    items: rates.slice(page.offset, page.offset + page.limit),
    count: rates.length,
    columns,
    json: ({ day, code, rate, source, refused, fetched_at }) => ({ day, code, rate, source, refused, fetched_at }),
    none: 'No rate was received yet. Fetch rates: currencies update',
  })
  return 0
}

/** Four hundred days of sixty currencies. */
const mostOfHistory = 24_000

async function importFile(path: string, given: Given, context: CommandContext): Promise<number> {
  const bytes = await readFirst(path, ratesLimitBytes + 1)
  if (typeof bytes === 'string') return fail(context, bytes)
  if (bytes.length > ratesLimitBytes) {
    return fail(context, `${path} is larger than 1 MB. Import a file with fewer days.`)
  }
  if (automaticCodes(context.settings).length === 0) {
    return fail(context, `no currency takes its rate from ${path}. Set one to auto: currencies set EUR auto`)
  }
  const read = ratesIn(bytes)
  const taken = read.ok
    ? await saveAutomaticRates(context, read.value, { source: 'file', accept: given.accept === true })
    : read
  return printTaken(taken.ok ? taken : { ok: false, fault: `${path}: ${taken.fault}` }, given.json === true, context)
}

/** The first bytes of a file, or why it cannot be read. */
async function readFirst(path: string, most: number): Promise<Buffer | string> {
  try {
    await using file = await open(path)
    const buffer = Buffer.alloc(most)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, most - length)
      length += bytesRead
      if (bytesRead === 0 || length === most) return buffer.subarray(0, length)
    }
  } catch (error) {
    // Reading a folder fails without its path.
    const isFolder = error instanceof Error && 'code' in error && error.code === 'EISDIR'
    if (isFolder) return `${path}: is a folder. Name a file.`
    return fileTrouble(error) ?? `${path}: ${error instanceof Error ? error.message : String(error)}`
  }
}

function printTaken(taken: AutomaticRates, json: boolean, context: CommandContext): number {
  const { print, say } = context
  if (!taken.ok) {
    // The text may quote the source.
    return fail(context, printable(`no rates were updated: ${taken.fault}`))
  }
  if (json) {
    print(JSON.stringify({ day: taken.day, rates: taken.rates }))
    return 0
  }
  for (const line of tableLines(takenRows(taken.rates), [1, 2])) print(line)
  const refused = taken.rates.filter(({ outcome }) => outcome === 'refused').length
  if (refused > 0)
    warn(
      context,
      `${counted(refused, 'rate')} changed too much and the earlier one stays in use. Accept with --accept.`,
    )
  say(`Read ${counted(taken.rates.length, 'rate')} of ${taken.day}.`)
  return 0
}

async function set(word: string, rate: string | undefined, given: Given, context: CommandContext): Promise<number> {
  const code = word.toUpperCase()
  if (!currencyCode.safeParse(code).success) {
    return rejectUsage(context, `"${word}" is not a currency code. Example: currencies set EUR auto`)
  }
  const change = changeGiven(rate, given)
  if (typeof change === 'string') return rejectUsage(context, change)
  const done = await setCurrency(context, code, change)
  if (!done.ok) return printFaults(context, done.faults, optionOf, given)
  const { entry, isNew } = done.value
  if (given.json) context.print(JSON.stringify(entry))
  const from = entry.rate === 'auto' ? 'the rate of its source' : `the rate ${entry.rate}`
  context.say(`${isNew ? 'Added' : 'Changed'} currency ${code} with ${from}. Running shops were notified.`)
  return 0
}

/** The change that words and options describe, or what is wrong with them. */
function changeGiven(rate: string | undefined, given: Given): CurrencyChange | string {
  const { checkout } = given
  const fee = textGiven(given.fee)
  const readFee = fee === undefined ? undefined : feeGiven(fee)
  if (readFee === null)
    return `--fee "${fee}" is neither a percentage nor an addition. Example: --fee 2.5% or --fee +0.05`
  if (checkout !== undefined && checkout !== 'yes' && checkout !== 'no')
    return `--checkout "${checkout}" is unknown. Choose one of: yes, no.`
  const methods = listGiven(given.methods)
  const rounding = {
    ...member('type', given.round),
    ...member('step', given.step),
    ...member('subtract', given.subtract),
  }
  return {
    ...member('rate', rate),
    ...(readFee ? { fee: readFee } : {}),
    ...(Object.keys(rounding).length > 0 ? { rounding } : {}),
    ...member('symbol', given.symbol),
    ...member('position', given.position),
    ...member('decimals', typeof given.decimals === 'string' ? figure(given.decimals) : undefined),
    ...member('checkout', checkout === undefined ? undefined : checkout === 'yes'),
    ...member('paymentMethods', methods?.length === 0 ? 'all' : methods),
    ...member(
      'countries',
      listGiven(given.countries)?.map((country) => country.toUpperCase()),
    ),
  }
}

/** A given member; an empty text restores its default. */
function member(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value === '' ? undefined : value }
}

/** A percentage ends with `%`, an addition starts with `+`: a bare `2` would be ambiguous. */
function feeGiven(text: string): { type: string; value: string } | null {
  if (text === '0' || text === '') return { type: 'percentage', value: '0' }
  const share = /^([\d.]+) ?%$/.exec(text)?.[1]
  if (share) return { type: 'percentage', value: share }
  const added = /^\+ ?([\d.]+)$/.exec(text)?.[1]
  return added ? { type: 'fixed', value: added } : null
}

/** Any other text is kept, so that the schema rejects it. */
function figure(text: string): number | string {
  return /^\d{1,3}$/.test(text) ? Number(text) : text
}
