import { languagesOf } from '#contract/translation/languages.ts'
import { updateSettings } from '#database/operations/configuration.ts'
import { dailySpending, queueLengths, readMachineState, retryFailed } from '#database/translation/queue.ts'
import { changedSetting } from '#shop/operations/settings/change-setting.ts'
import { readSettings } from '#shop/operations/settings/shop-configuration.ts'
import { dayIn, pauseReason } from '#shop/translation/machine/engine-health.ts'
import { machineEngine } from '#shop/translation/machine/engine-settings.ts'
import { estimateMachine } from '#shop/translation/machine/estimate-cost.ts'
import { type MachineEnd, translateQueue } from '#shop/translation/machine/translate-queue.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, type Options, textGiven } from '../shared/command-group.ts'
import { tableLines } from '../shared/table.ts'

const languageOption = {
  language: { type: 'string', value: '<tag>', what: 'this one alone, also while nobody sees it yet' },
} as const satisfies Options

const names = { deepl: 'DeepL', google: 'Google', libretranslate: 'LibreTranslate', off: 'none' } as const
const patienceMinutes = 15

/** Why nothing more was done, and what to do about it. */
const ends: Readonly<Record<Exclude<MachineEnd, 'done'>, string>> = {
  off: 'No engine is set up: settings translation.machine.engine deepl, google or libretranslate.',
  'no-key': 'The engine needs the key of an account, in the variable TRANSLATION_KEY.',
  'no-address': 'Where is the server? settings translation.machine.address https://…',
  paused: 'It is paused: machine resume goes on.',
  busy: 'The shop is at it just now: machine status tells how far.',
  limit: 'The characters of the day are used up: settings translation.machine.charactersPerDay.',
  quota: 'The account has nothing left today.',
  held: 'The engine fails and is left alone for a while: machine status says why.',
  time: `${patienceMinutes} minutes are over; the shop goes on with the rest.`,
}

export const machineCommand = commandGroup('machine', {
  status: {
    usage: '[--json]',
    summary: 'The engine, what it was sent today, how it answers, and what waits or failed in each language.',
    options: jsonOption,
    words: [0, 0],
    run: async (_, { json }, context) => {
      const status = await statusOf(context)
      if (json) context.print(JSON.stringify(status))
      else show(status, context)
      return 0
    },
  },

  run: {
    usage: '[--language <tag>] [--dry-run]',
    summary: 'Translates what waits now, instead of within the next minutes. --dry-run only says how much that is.',
    options: { ...languageOption, 'dry-run': { type: 'boolean', what: 'sends nothing, and says what it would' } },
    words: [0, 0],
    run: (_, given, context) => run(given, context),
  },

  retry: {
    usage: '[--language <tag>]',
    summary: 'Lets texts wait again that the engine failed at.',
    options: languageOption,
    words: [0, 0],
    async run(_, given, context) {
      const language = languageGiven(given, context)
      if (language === undefined) return 2
      const count = await retryFailed(context.db.kysely, language, context.clock.now())
      context.say(count === 0 ? 'Nothing has failed.' : `${texts(count)} will be tried again within a minute.`)
      return 0
    },
  },

  pause: {
    usage: '',
    summary: 'Sends nothing more, until machine resume.',
    options: {},
    words: [0, 0],
    run: (_, __, context) => setPaused(true, context),
  },

  resume: {
    usage: '',
    summary: 'Goes on after machine pause.',
    options: {},
    words: [0, 0],
    run: (_, __, context) => setPaused(false, context),
  },
})

async function run(given: Given, context: CommandContext): Promise<number> {
  const language = languageGiven(given, context)
  if (language === undefined) return 2
  const { clock, print, say } = context
  const only = language === null ? {} : { only: [language] }
  const also = language === null ? [] : [language]
  if (given['dry-run']) {
    const estimate = await estimateMachine(context, { also, ...only })
    const rows = estimate.map(({ tag, count, characters }) => [tag, String(count), figure(characters)])
    if (rows.length > 0)
      for (const line of tableLines([['Language', 'Texts', 'Characters'], ...rows], [1, 2])) print(line)
    const total = estimate.reduce((sum, { characters }) => sum + characters, 0)
    const perDay = context.settings.translation.machine.charactersPerDay
    say(
      total === 0
        ? 'Nothing waits to be translated.'
        : `${figure(total)} characters would be sent; a day has ${figure(perDay)}. Nothing was sent.`,
    )
    return 0
  }
  let sent = 0
  const report = await translateQueue(context, {
    until: new Date(clock.now().getTime() + patienceMinutes * 60_000),
    also,
    ...only,
    note: (call) => {
      sent += call.characters
      context.progress(`${figure(sent)} characters sent`)
    },
  })
  const { end, saved, refused, characters } = report
  const nothing = end !== 'done' && saved === 0 && report.calls === 0
  if (!nothing)
    say(`${texts(saved)} translated, ${figure(characters)} characters in ${plural(report.calls, 'call', 'calls')}.`)
  if (refused > 0) say(`${plural(refused, 'answer was', 'answers were')} not fit to be kept: machine status says why.`)
  if (end !== 'done') say(ends[end])
  return end === 'done' ? 0 : 1
}

type Status = Awaited<ReturnType<typeof statusOf>>

async function statusOf(context: CommandContext) {
  const { db, clock, settings } = context
  const { machine } = settings.translation
  const now = clock.now()
  const day = dayIn(settings.timeZone, now)
  const [state, spent, lengths] = await Promise.all([
    readMachineState(db.kysely),
    dailySpending(db.kysely, day, machine.engine),
    queueLengths(db.kysely),
  ])
  const ready = machineEngine(context)
  const held = pauseReason(state, machine.engine, now, day)
  return {
    engine: machine.engine,
    ready: machine.paused ? 'paused' : ready.ok ? 'yes' : ready.reason,
    today: { day, characters: spent.characters, of: machine.charactersPerDay, calls: spent.calls },
    health: {
      state: held.held === false ? 'open' : held.held,
      until: held.held === 'pause' ? held.until.toISOString() : null,
      failures: state.engine === machine.engine ? state.failures : 0,
      fault: state.engine === machine.engine ? state.fault : '',
      unspoken: state.engine === machine.engine && state.unspokenOn === day ? state.unspoken : [],
    },
    languages: [...new Set(lengths.map(({ language }) => language))].map((language) => {
      const of = lengths.filter((one) => one.language === language)
      const waiting = of.filter(({ state }) => state !== 'failed')
      return {
        language,
        waiting: waiting.reduce((sum, { count }) => sum + count, 0),
        characters: waiting.reduce((sum, one) => sum + one.characters, 0),
        failed: of.flatMap(({ state, fault, count }) => (state === 'failed' ? [{ fault, count }] : [])),
      }
    }),
  }
}

function show({ engine, ready, today, health, languages }: Status, { print, say }: CommandContext): void {
  const rows = [
    ['Engine', ready === 'paused' ? `${names[engine]}, paused` : names[engine]],
    ...(engine === 'off'
      ? []
      : [
          [
            'Today',
            `${figure(today.characters)} of ${figure(today.of)} characters, ${plural(today.calls, 'call', 'calls')}`,
          ],
          ['Answers', answersOf(health)],
          ...(health.unspoken.length > 0 ? [['Not spoken', health.unspoken.join(', ')]] : []),
        ]),
  ]
  for (const line of tableLines(rows)) print(line)
  if (languages.length > 0) {
    print('')
    const cells = languages.map(({ language, waiting, characters, failed }) => [
      ...[language, String(waiting), figure(characters), String(failed.reduce((sum, { count }) => sum + count, 0))],
      failed.map(({ fault, count }) => `${fault} (${count})`).join(', '),
    ])
    const title = ['Language', 'Waiting', 'Characters', 'Failed', '']
    for (const line of tableLines([title, ...cells], [1, 2, 3])) print(line)
  }
  if (ready === 'off' || ready === 'no-key' || ready === 'no-address') say(ends[ready])
}

function answersOf({ state, until, failures, fault }: Status['health']): string {
  const why = fault === '' ? '' : ` (${fault})`
  if (state === 'quota') return `the account has nothing left today${why}`
  if (state === 'pause')
    return `left alone until ${until?.slice(11, 16)} UTC, ${plural(failures, 'failure', 'failures')}${why}`
  return failures > 0 ? `failing${why}` : 'well'
}

async function setPaused(paused: boolean, { db, say }: CommandContext): Promise<number> {
  await updateSettings(db, (stored) => {
    const changed = changedSetting(readSettings(stored), 'translation.machine.paused', String(paused))
    if (!changed.ok) throw new Error(changed.problem)
    return { write: { [changed.name]: changed.value } }
  })
  say(paused ? 'Nothing more is sent. What waits goes on waiting.' : 'The shop goes on with what waits.')
  return 0
}

/** @returns null where none was given, undefined where the shop does not speak it */
function languageGiven(given: Given, { settings, say }: CommandContext): string | null | undefined {
  const tag = textGiven(given.language)
  if (tag === undefined) return null
  const known = languagesOf(settings).map((language) => language.tag)
  if (known.includes(tag)) return tag
  say(`--language: the shop does not speak ${tag}. It speaks ${known.join(', ')}.`)
  return undefined
}

const figure = (count: number) => count.toLocaleString('en-US')
const plural = (count: number, one: string, many: string) => `${figure(count)} ${count === 1 ? one : many}`
const texts = (count: number) => plural(count, 'text', 'texts')
