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
import { type Column, listOptions, pageGiven, printList } from '../shared/listing.ts'
import { printable, tableLines } from '../shared/table.ts'
import { currencyRows, refusedText, shownCurrency, sourceNames, sourceText, takenRows } from './currency-text.ts'

const acceptOption = {
  accept: { type: 'boolean', what: 'takes rates however much they have changed' },
} as const satisfies Options

const entryOptions = {
  fee: { type: 'string', value: '<figure>', what: 'on top of the rate: 2.5% of it, or +0.05 added to it; 0 for none' },
  symbol: { type: 'string', value: '<sign>', what: 'before or after amounts; "" for the usual one' },
  position: {
    type: 'string',
    value: '<place>',
    completes: ['left', 'right', 'left_space', 'right_space'],
    what: 'of the sign: left, right, left_space or right_space; "" as the shop has it',
  },
  decimals: { type: 'string', value: '<number>', what: '0 to 4; "" as many as the currency has' },
  round: {
    type: 'string',
    value: '<how>',
    completes: ['up', 'down', 'nearest', 'disabled'],
    what: 'prices up, down or nearest to multiples of the step; disabled: not at all',
  },
  step: { type: 'string', value: '<amount>', what: 'to multiples of which prices are rounded' },
  subtract: { type: 'string', value: '<amount>', what: 'taken off afterwards: 0.01 makes 24.99 of 25' },
  checkout: {
    type: 'string',
    value: '<yes or no>',
    completes: ['yes', 'no'],
    what: 'whether one may pay in it, where paying in other currencies is on',
  },
  methods: { type: 'string', value: '<id>', multiple: true, what: 'the ways to pay that take it; "" for all' },
  countries: { type: 'string', value: '<code>', multiple: true, what: 'whose visitors see it first; "" for none' },
} as const satisfies Options

const optionOf = {
  ...{ rate: 'the rate', fee: '--fee', symbol: '--symbol', position: '--position', decimals: '--decimals' },
  ...{ rounding: '--round', 'rounding.step': '--step', 'rounding.subtract': '--subtract', 'rounding.type': '--round' },
  ...{ checkout: '--checkout', paymentMethods: '--methods', countries: '--countries' },
}

export const currenciesCommand = commandGroup('currencies', {
  list: {
    usage: '[--json]',
    summary:
      'Each currency with its rate, of which day and whence it is, what a price of 100 becomes, and whether it is offered.',
    options: jsonOption,
    words: [0, 0],
    run: (_, { json }, context) => list(json === true, context),
  },

  rates: {
    usage: '[<code>] [options]',
    summary: 'Rates of earlier days, the newest first, refused ones among them.',
    options: { ...listOptions },
    words: [0, 1],
    completes: ['currency'],
    run: ([code], given, context) => history(code, given, context),
  },

  update: {
    usage: '[--accept] [--json]',
    summary: 'Asks the source now, instead of when it is due.',
    options: { ...acceptOption, ...jsonOption },
    words: [0, 0],
    async run(_, { accept, json }, context) {
      return tellTaken(await updateRates(context, { accept: accept === true }), json === true, context)
    },
  },

  import: {
    usage: '<file> [--accept] [--json]',
    summary: 'Takes rates from a file: XML or CSV of the European Central Bank, or open rates as JSON.',
    options: { ...acceptOption, ...jsonOption },
    words: [1, 1],
    run: ([file = ''], given, context) => importFile(file, given, context),
  },

  set: {
    usage: '<code> [<rate>|auto] [options]',
    summary: 'Sets up a currency, or changes it. A rate is so many of it for one of the shop’s own.',
    options: { ...entryOptions, ...jsonOption },
    words: [1, 2],
    completes: ['currency', ['auto']],
    run: ([code = '', rate], given, context) => set(code, rate, given, context),
  },

  remove: {
    usage: '<code>',
    summary: 'Offers a currency no longer. Orders that were placed in it stay as they are.',
    options: {},
    words: [1, 1],
    completes: ['currency'],
    async run([word = ''], _, context) {
      const code = word.toUpperCase()
      if (!(await removeCurrency(context, code))) {
        context.say(`${code} is not among the currencies of the shop.`)
        return 1
      }
      context.say(`${code} is no longer offered. Running shops have been told.`)
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
    say(`Prices are shown in ${own} alone. currencies set EUR auto adds one.`)
    return 0
  }
  const rows = currencyRows(own, settings.exchange.rates.maxAgeDays, shown)
  for (const line of tableLines(rows, [1, 2, 3, 6])) print(line)
  for (const line of shown.flatMap(refusedText)) say(line)
  say(printable(sourceText(context, state, automaticCodes(settings))))
  return 0
}

async function history(word: string | undefined, given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  if (typeof page === 'string') {
    context.say(page)
    return 2
  }
  const code = word?.toUpperCase() ?? null
  const rates = await ratesOfHistory(context.db.kysely, context.settings.currency, code, mostOfHistory)
  const columns: Column<(typeof rates)[number]>[] = [
    { title: 'Day', cell: ({ day }) => day },
    { title: 'Code', cell: ({ code }) => code },
    { title: `For 1 ${context.settings.currency}`, right: true, cell: ({ rate }) => rate },
    { title: 'From', cell: ({ source }) => sourceNames[source], csv: ({ source }) => source },
    { title: '', cell: ({ refused }) => (refused ? 'refused' : ''), csv: ({ refused }) => (refused ? 'refused' : '') },
  ]
  printList(context, given, page, {
    items: rates.slice(page.offset, page.offset + page.limit),
    count: rates.length,
    columns,
    json: ({ day, code, rate, source, refused, fetched_at }) => ({ day, code, rate, source, refused, fetched_at }),
    none: 'No rate has come yet.',
  })
  return 0
}

/** Four hundred days of sixty currencies. */
const mostOfHistory = 24_000

async function importFile(path: string, given: Given, context: CommandContext): Promise<number> {
  const bytes = await readFirst(path, ratesLimitBytes + 1)
  if (typeof bytes === 'string') {
    context.say(`${path}: ${bytes}`)
    return 1
  }
  if (bytes.length > ratesLimitBytes) {
    context.say(`${path}: the file has more than a megabyte. Take one with fewer days.`)
    return 1
  }
  if (automaticCodes(context.settings).length === 0) {
    context.say('No currency has the rate auto, so nothing of the file is wanted: currencies set EUR auto adds one.')
    return 1
  }
  const read = ratesIn(bytes)
  const taken = read.ok
    ? await saveAutomaticRates(context, read.value, { source: 'file', accept: given.accept === true })
    : read
  return tellTaken(taken.ok ? taken : { ok: false, fault: `${path}: ${taken.fault}` }, given.json === true, context)
}

/** So many bytes from the beginning of a file at most, or why it cannot be read. */
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
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') return 'there is no such file'
    if (code === 'EISDIR') return 'that is a folder'
    return error instanceof Error ? error.message : String(error)
  }
}

function tellTaken(taken: AutomaticRates, json: boolean, { print, say }: CommandContext): number {
  if (!taken.ok) {
    // It may quote what the source has written.
    say(printable(`No new rates: ${taken.fault}`))
    return 1
  }
  if (json) {
    print(JSON.stringify({ day: taken.day, rates: taken.rates }))
    return 0
  }
  for (const line of tableLines(takenRows(taken.rates), [1, 2])) print(line)
  const refused = taken.rates.some(({ outcome }) => outcome === 'refused')
  say(`Rates of ${taken.day}.${refused ? ' Those refused leave the one before in use; --accept takes them.' : ''}`)
  return 0
}

async function set(word: string, rate: string | undefined, given: Given, context: CommandContext): Promise<number> {
  const code = word.toUpperCase()
  if (!currencyCode.safeParse(code).success) {
    context.say(`"${word}" is no code of a currency like EUR.`)
    return 2
  }
  const change = changeGiven(rate, given)
  if (typeof change === 'string') {
    context.say(change)
    return 2
  }
  const done = await setCurrency(context, code, change)
  if (!done.ok) {
    printFaults(context, done.faults, optionOf)
    return 1
  }
  const { entry, isNew } = done.value
  if (given.json) context.print(JSON.stringify(entry))
  const from = entry.rate === 'auto' ? 'the rate of its source' : `the rate ${entry.rate}`
  context.say(`${code} ${isNew ? 'is set up' : 'is changed'}, with ${from}. Running shops have been told.`)
  return 0
}

/** What the words and options change of an entry, or what is wrong with them. */
function changeGiven(rate: string | undefined, given: Given): CurrencyChange | string {
  const { checkout } = given
  const fee = textGiven(given.fee)
  const readFee = fee === undefined ? undefined : feeGiven(fee)
  if (readFee === null) return '--fee is a share of the rate like 2.5%, or what is added to it like +0.05.'
  if (checkout !== undefined && checkout !== 'yes' && checkout !== 'no') return '--checkout is yes or no.'
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

/** A member that was given; an empty text takes it away, so that the usual holds again. */
function member(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value === '' ? undefined : value }
}

/** A share has its sign and so has what is added: a bare `2` might be meant either way. */
function feeGiven(text: string): { type: string; value: string } | null {
  if (text === '0' || text === '') return { type: 'percentage', value: '0' }
  const share = /^([\d.]+) ?%$/.exec(text)?.[1]
  if (share) return { type: 'percentage', value: share }
  const added = /^\+ ?([\d.]+)$/.exec(text)?.[1]
  return added ? { type: 'fixed', value: added } : null
}

/** What is no whole number stays a text, for the schema to refuse. */
function figure(text: string): number | string {
  return /^\d{1,3}$/.test(text) ? Number(text) : text
}
