import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, loadCommand } from './commands.ts'
import { parseArguments } from './shared/parse-arguments.ts'

const loaded = await Promise.all(Object.keys(commands).map(async (name) => [name, await loadCommand(name)] as const))
const syntaxes = loaded.flatMap(([name, command]) => {
  const subs = Object.entries(command?.subs ?? {}).map(([sub, syntax]) => [`${name} ${sub}`, syntax] as const)
  return command?.syntax ? [[name, command.syntax] as const, ...subs] : subs
})

describe('the commands of the command line', () => {
  it.each(syntaxes)('%s shows its options and a valid example', (name, syntax) => {
    const [command = '', ...rest] = name.split(' ')
    const help = (loaded.find(([each]) => each === command)?.[1]?.help(rest) ?? []).join('\n')
    for (const option of Object.keys(syntax.options)) expect(help).toContain(`--${option}`)
    if (command !== 'completion') expect(help).toContain(`Example: npm run shop -- ${name} ${syntax.example}`.trimEnd())
    const words = syntax.example.replace(/^> .*/, '').match(/"[^"]*"|\S+/g) ?? []
    expect(parseArguments(name, syntax, words)).not.toBeTypeOf('string')
  })

  it('takes negative numbers for words and for values of options', () => {
    const syntax = { ...syntaxes[0]?.[1], options: { by: { type: 'string', what: '' } }, words: [0, 2] } as never
    expect(parseArguments('x', syntax, ['a', '-12', '--by', '-3'])).toEqual({
      words: ['a', '-12'],
      given: { by: '-3' },
    })
  })

  it.each(syntaxes.filter(([name]) => name !== 'completion'))(
    '%s rejects a wrong option and an argument too many without a database',
    (name, syntax) => {
      const [command = '', ...sub] = name.split(' ')
      const problem = (...args: string[]) => loaded.find(([each]) => each === command)?.[1]?.usageProblem(args)
      const words = Array.from({ length: syntax.words[1] + 1 }, (_, index) => `word${index}`)
      expect(problem(...sub, ...words.slice(1))).toBeNull()
      expect(problem(...sub, ...words)).toMatch(/^unexpected argument "word\d+"\./)
      expect(problem(...sub, '--no-such-option')).toMatch(/^unknown option "--no-such-option"\./)
      if (sub.length > 0) expect(problem(`${sub[0]}x`)).toContain(`\nDid you mean "${command} `)
    },
  )

  it.each([
    [['orders', 'lst'], /^Error: unknown command "orders lst"\. .*\nDid you mean "orders list"\?\n$/],
    [['orders', '1001', 'json'], /^Error: unexpected argument "json"\. .*\nDid you mean "--json"\?\n$/],
    [['orders', '--json', 'show', '1'], /^Error: unexpected argument "1"\. .*\nDid you mean "orders show"\?\n$/],
    [['--json', 'orders'], /^Error: unknown command "--json"\. .*\nDid you mean "orders --json"\?\n$/],
    [['settings', '--josn'], /^Error: unknown option "--josn"\. .*\nDid you mean "--json"\?\n$/],
    [['restore', 'x', '--forse'], /^Error: unknown option "--forse"\. .*\nDid you mean "--force"\?\n$/],
  ])('%j ends with 2 before a database is looked for, and a hint in the last line', (args, problem) => {
    const folder = join(tmpdir(), `vitrine-no-shop-${randomUUID()}`)
    const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: '', DATABASE_DIRECT_URL: '' }
    const { status, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], { encoding: 'utf8', env })
    expect([status, stderr]).toEqual([2, expect.stringMatching(problem)])
    expect(existsSync(folder)).toBe(false)
  })

  it.each([
    [['ordrs'], /^Error: unknown command "ordrs"\. .*\nDid you mean "orders"\?\n$/],
    [['help', 'ordrs'], /^Error: unknown command "ordrs"\. .*\nDid you mean "orders"\?\n$/],
    [['colour'], /^Error: unknown command "colour"\. Commands are listed by: npm run shop -- help\n$/],
  ])('%j ends with 2 and a hint in the last line', (args, problem) => {
    const { status, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringMatching(problem)])
  })

  it.each([[[]], [['help']], [['orders', '--help']], [['help', 'orders', 'refund']]])(
    '%j prints help and ends with 0',
    (args) => {
      const { status, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, expect.stringMatching(/^Usage: npm run shop -- .*\n/)])
    },
  )
})
