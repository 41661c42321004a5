import { dropJobs, type FailedJob, listFailedJobs, retryJobs } from '#database/operations/failed-jobs.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, isMeant, jsonOption, yesOption } from '../shared/command-group.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

/** Of an error, in a table; programs get all of it. */
const longestError = 60

export const jobsCommand = commandGroup('jobs', {
  list: {
    usage: '[--all] [--json]',
    summary: 'Jobs that were given up after many tries.',
    options: { all: { type: 'boolean', what: 'also those that are tried again by themselves' }, ...jsonOption },
    words: [0, 0],
    async run(_, { all, json }, { db, print, say }) {
      const jobs = await listFailedJobs(db, { all: all === true })
      if (json) print(JSON.stringify(jobs.map((job) => ({ ...job, lastError: withoutAddresses(job.lastError) }))))
      else if (jobs.length === 0) say(all ? 'No job has failed.' : 'No job was given up.')
      else {
        const head = ['Number', 'Job', 'About', 'Tries', 'Since (UTC)', 'Next try (UTC)', 'Last error']
        for (const line of tableLines([head, ...jobs.map(cells)], [0, 3])) print(line)
      }
      return 0
    },
  },

  retry: {
    usage: '<number ...|all>',
    summary: 'Tries jobs again now. The running shop does it within seconds, one that is started later when it starts.',
    options: {},
    words: [1, 1000],
    completes: [['all']],
    async run(words, _, context) {
      const ids = await chosen(words, context)
      if (ids === null) return 2
      const count = await retryJobs(context.db, ids)
      return told(context, count, ids.length, 'tried again')
    },
  },

  drop: {
    usage: '<number ...|all> [--yes]',
    summary: 'Takes jobs off the list for good: what they were to do is not done.',
    options: yesOption,
    words: [1, 1000],
    completes: [['all']],
    async run(words, given, context) {
      const ids = await chosen(words, context)
      if (ids === null) return 2
      const question = `${jobCount(ids.length)}: drop for good? What they were to do is not done.`
      if (ids.length > 0 && !(await isMeant(given, context, question))) return 1
      return told(context, await dropJobs(context.db, ids), ids.length, 'dropped')
    },
  },
})

function cells({ id, task, about, attempts, mostAttempts, createdAt, nextAt, lastError }: FailedJob): string[] {
  const [error = ''] = withoutAddresses(lastError).split('\n')
  const short = error.length > longestError ? `${error.slice(0, longestError - 1)}…` : error
  return [
    id,
    task,
    about,
    `${attempts} of ${mostAttempts}`,
    minute(createdAt),
    nextAt ? minute(nextAt) : 'given up',
    short,
  ]
}

/** Mail servers name in their refusals whom they refuse. */
const withoutAddresses = (text: string) => text.replace(/[^\s<>@"',;:]+@[^\s<>@"',;:]+/g, '…@…')

/** The jobs that were named, all that were given up for `all`, or null where a word is no number. */
async function chosen(words: readonly string[], { db, say }: CommandContext): Promise<string[] | null> {
  if (words.length === 1 && words[0] === 'all') return (await listFailedJobs(db)).map(({ id }) => id)
  const strange = words.find((word) => !/^[1-9]\d{0,17}$/.test(word))
  if (strange === undefined) {
    // Only what has failed: a job that waits for its time is not the desk's business.
    const known = new Set((await listFailedJobs(db, { all: true })).map(({ id }) => id))
    const unknown = words.find((word) => !known.has(word))
    if (unknown === undefined) return [...new Set(words)]
    say(`There is no job ${unknown} that has failed: jobs list --all shows them.`)
    return null
  }
  say(`"${strange}" is no number of a job: jobs list shows them.`)
  return null
}

function told({ say }: CommandContext, count: number, asked: number, done: string): number {
  if (asked === 0) say('No job was given up.')
  else if (count === asked) say(`${jobCount(count)} ${count === 1 ? 'is' : 'are'} ${done}.`)
  else say(`${count} of ${jobCount(asked)} ${count === 1 ? 'is' : 'are'} ${done}; the others run at this moment.`)
  return count === asked ? 0 : 1
}

const jobCount = (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'}`
