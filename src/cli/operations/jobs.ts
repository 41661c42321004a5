import { dropJobs, type FailedJob, listFailedJobs, retryJobs } from '#database/operations/failed-jobs.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, isConfirmed, jsonOption, yesOption } from '../shared/command-group.ts'
import { counted, fail, rejectUsage } from '../shared/messages.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

/** The length of an error in a table. JSON holds all of it. */
const longestError = 60

export const jobsCommand = commandGroup('jobs', {
  list: {
    usage: '[--all] [--json]',
    summary: 'Lists jobs that failed for good after 25 attempts.',
    example: '--all',
    options: { all: { type: 'boolean', what: 'also lists jobs that will be retried' }, ...jsonOption },
    words: [0, 0],
    async run(_, { all, json }, { db, print, say }) {
      const jobs = await listFailedJobs(db, { all: all === true })
      if (json) print(JSON.stringify(jobs.map((job) => ({ ...job, lastError: withoutAddresses(job.lastError) }))))
      else if (jobs.length === 0) say(all ? 'No job has failed.' : 'No job has failed for good.')
      else {
        const head = ['Number', 'Job', 'About', 'Tries', 'Since (UTC)', 'Next try (UTC)', 'Last error']
        for (const line of tableLines([head, ...jobs.map(cells)], [0, 3])) print(line)
      }
      return 0
    },
  },

  retry: {
    usage: '<number ...|all>',
    summary: 'Retries jobs now. A running shop does it within seconds, a stopped one at its next start.',
    example: 'all',
    options: {},
    words: [1, 1000],
    completes: [['all']],
    async run(words, _, context) {
      const ids = await chosen(words, context)
      if (ids === null) return 2
      const count = await retryJobs(context.db, ids)
      return printCount(context, count, ids.length, 'retried')
    },
  },

  drop: {
    usage: '<number ...|all> [--yes]',
    summary: 'Removes jobs for good: their work is never done.',
    example: '17 --yes',
    options: yesOption,
    words: [1, 1000],
    completes: [['all']],
    async run(words, given, context) {
      const ids = await chosen(words, context)
      if (ids === null) return 2
      const action = `Drop ${counted(ids.length, 'job')} for good`
      if (ids.length > 0 && !(await isConfirmed(given, context, action, 'Their work is never done.'))) return 1
      return printCount(context, await dropJobs(context.db, ids), ids.length, 'dropped')
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

/** Removes addresses: mail servers repeat the recipient in their refusals. */
const withoutAddresses = (text: string) => text.replace(/[^\s<>@"',;:]+@[^\s<>@"',;:]+/g, '…@…')

/** The named jobs, or all that failed for good for `all`; null where a word names none. */
async function chosen(words: readonly string[], context: CommandContext): Promise<string[] | null> {
  const { db } = context
  if (words.length === 1 && words[0] === 'all') return (await listFailedJobs(db)).map(({ id }) => id)
  const strange = words.find((word) => !/^[1-9]\d{0,17}$/.test(word))
  if (strange === undefined) {
    // Failed jobs only: the caller must not touch a job that waits for its time.
    const known = new Set((await listFailedJobs(db, { all: true })).map(({ id }) => id))
    const unknown = words.find((word) => !known.has(word))
    if (unknown === undefined) return [...new Set(words)]
    rejectUsage(context, `job ${unknown} has not failed or does not exist. List failed jobs: jobs list --all`)
    return null
  }
  rejectUsage(context, `"${strange}" is not a job number. List them: jobs list`)
  return null
}

function printCount(context: CommandContext, count: number, asked: number, done: 'retried' | 'dropped'): number {
  const verb = done === 'retried' ? 'will be retried' : count === 1 ? 'was dropped' : 'were dropped'
  if (asked === 0) context.say('No job has failed for good.')
  else if (count === asked) context.say(`${counted(count, 'job')} ${verb}.`)
  else
    return fail(context, `only ${count} of ${counted(asked, 'job')} ${verb}: the others are running. Try again later.`)
  return 0
}
