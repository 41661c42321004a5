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
import { fail, rejectUsage, unknownChoice, warn } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

const languageOption = {
  language: { type: 'string', value: '<tag>', what: 'this language only, even if it is not published yet' },
} as const satisfies Options

const names = { deepl: 'DeepL', google: 'Google', libretranslate: 'LibreTranslate', off: 'none' } as const
const timeoutMinutes = 15

/** The reasons for an early end, each with what to do next. */
const ends: Readonly<Record<Exclude<MachineEnd, 'done'>, string>> = {
  off: 'no engine is set up. Choose one: settings translation.machine.engine deepl, google or libretranslate',
  'no-key': 'the engine has no account key. Set the environment variable TRANSLATION_KEY.',
  'no-address': 'the engine has no address. Set it: settings translation.machine.address https://…',
  paused: 'machine translation is paused. Resume it: machine resume',
  busy: 'a translation run is already in progress. See: machine status',
  limit: 'the daily limit of characters is reached. Raise it: settings translation.machine.charactersPerDay',
  quota: 'the quota of the account is used up. Run the command again tomorrow.',
  held: 'the engine failed repeatedly and is retried later. See: machine status',
  time: `the run was stopped after ${timeoutMinutes} minutes. The running shop translates the rest.`,
}

export const machineCommand = commandGroup('machine', {
  status: {
    usage: '[--json]',
    summary: 'Shows the engine, its use today, its health, and the queue of each language.',
    example: '',
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
    summary: 'Translates the queue now, instead of within minutes.',
    example: '--language de-DE --dry-run',
    options: { ...languageOption, 'dry-run': { type: 'boolean', what: 'counts the characters and sends nothing' } },
    words: [0, 0],
    run: (_, given, context) => run(given, context),
  },

  retry: {
    usage: '[--language <tag>]',
    summary: 'Queues the texts again at which the engine failed.',
    example: '',
    options: languageOption,
    words: [0, 0],
    async run(_, given, context) {
      const language = languageGiven(given, context)
      if (language === undefined) return 2
      const count = await retryFailed(context.db.kysely, language, context.clock.now())
      context.say(
        count === 0 ? 'No text has failed.' : `Queued ${texts(count)} again. The running shop retries within a minute.`,
      )
      return 0
    },
  },

  pause: {
    usage: '',
    summary: 'Pauses machine translation.',
    example: '',
    options: {},
    words: [0, 0],
    run: (_, __, context) => setPaused(true, context),
  },

  resume: {
    usage: '',
    summary: 'Resumes machine translation after a pause.',
    example: '',
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
        ? 'The queue is empty: all texts are translated.'
        : `${figure(total)} characters would be sent, of ${figure(perDay)} a day. Nothing was sent.`,
    )
    return 0
  }
  let sent = 0
  const report = await translateQueue(context, {
    until: new Date(clock.now().getTime() + timeoutMinutes * 60_000),
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
    say(`Translated ${texts(saved)}: ${figure(characters)} characters in ${plural(report.calls, 'call', 'calls')}.`)
  if (refused > 0) warn(context, `${plural(refused, 'answer was', 'answers were')} rejected. See: machine status`)
  return end === 'done' ? 0 : fail(context, ends[end])
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

function show({ engine, ready, today, health, languages }: Status, context: CommandContext): void {
  const { print } = context
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
          ...(health.unspoken.length > 0 ? [['Unsupported', health.unspoken.join(', ')]] : []),
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
  if (ready === 'off' || ready === 'no-key' || ready === 'no-address') warn(context, ends[ready])
}

function answersOf({ state, until, failures, fault }: Status['health']): string {
  const why = fault === '' ? '' : ` (${fault})`
  if (state === 'quota') return `account quota used up today${why}`
  if (state === 'pause')
    return `paused until ${until?.slice(11, 16)} UTC after ${plural(failures, 'failure', 'failures')}${why}`
  return failures > 0 ? `failing${why}` : 'well'
}

async function setPaused(paused: boolean, { db, say }: CommandContext): Promise<number> {
  await updateSettings(db, (stored) => {
    const changed = changedSetting(readSettings(stored), 'translation.machine.paused', String(paused))
    if (!changed.ok) throw new Error(changed.problem)
    return { write: { [changed.name]: changed.value } }
  })
  say(paused ? 'Paused machine translation. Texts stay in the queue.' : 'Resumed machine translation.')
  return 0
}

/** @returns null where none was given, undefined where the shop does not have it */
function languageGiven(given: Given, context: CommandContext): string | null | undefined {
  const tag = textGiven(given.language)
  if (tag === undefined) return null
  const known = languagesOf(context.settings).map((language) => language.tag)
  if (known.includes(tag)) return tag
  rejectUsage(context, unknownChoice('language', tag, known))
  return undefined
}

const figure = (count: number) => count.toLocaleString('en-US')
const plural = (count: number, one: string, many: string) => `${figure(count)} ${count === 1 ? one : many}`
const texts = (count: number) => plural(count, 'text', 'texts')
