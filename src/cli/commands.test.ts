import { spawnSync } from 'node:child_process'
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
