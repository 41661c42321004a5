import { describe, expect, it } from 'vitest'
import { logFormat, textLine } from './log-line.ts'

const local = new Date(2026, 4, 10, 12, 3, 4)
const line = (facts: object, level = 30, msg = 'a job failed') =>
  textLine(`${JSON.stringify({ level, time: local.toISOString(), ...facts, msg })}\n`)

describe('a line of the log on a terminal', () => {
  it('shows time, level and message, then what belongs to it', () => {
    expect(line({})).toBe('12:03:04 INFO  a job failed\n')
    expect(line({ job: 7, task: 'order-mail' }, 40)).toBe('12:03:04 WARN  a job failed job=7 task=order-mail\n')
    expect(line({}, 50, 'no disk')).toBe('12:03:04 ERROR no disk\n')
  })

  it('leaves out nothing, whatever its name', () => {
    const names = ['err', 'name', 'pid', 'hostname', 'requestId', 'stack', 'cause', 'type', 'v', 'path', 'status', 'id']
    const shown = line({ ...Object.fromEntries(names.map((name, index) => [name, index])), err: { message: 'no' } }, 50)
    for (const [index, name] of names.entries()) expect(shown).toContain(name === 'err' ? 'err={' : ` ${name}=${index}`)
    expect(shown).toContain('"message":"no"')
  })

  it.each([
    ['two words', 'error="two words"'],
    ['', 'error=""'],
    ['a=b', 'error="a=b"'],
    ['say "no"', 'error="say \\"no\\""'],
    [null, 'error=null'],
    [true, 'error=true'],
    [{ all: 2, ids: [1, 2] }, 'error={"all":2,"ids":[1,2]}'],
    ['Ästchen', 'error=Ästchen'],
  ])('shows the value %j so that its end can be seen', (error, shown) => {
    expect(line({ error })).toBe(`12:03:04 INFO  a job failed ${shown}\n`)
  })

  it('shows what would steer the terminal or begin a line instead of writing it', () => {
    const shown = line({ 'k\u001b': 'x\u001b[2J\n12:00:00 INFO forged\u009b' }, 30, 'one\ntwo\u0007')
    expect(shown.match(/[^\x20-\x7e]/g)).toEqual(['\n'])
    expect(shown).toContain('one\\u000atwo\\u0007')
  })

  it('leaves what is no entry as it is', () => {
    expect(textLine('Killed\n')).toBe('Killed\n')
    expect(textLine('7\n')).toBe('7\n')
    expect(textLine('{"level":30}\n')).toBe('--:--:-- INFO  \n')
  })
})

describe('the format of the log', () => {
  const terminal = { isTTY: true }
  it.each([
    ['on a terminal', {}, terminal, 'text'],
    ['when it is piped', {}, {}, 'json'],
    ['on a terminal in production', { NODE_ENV: 'production' }, terminal, 'json'],
    ['as npm start chooses it on a terminal', { NODE_ENV: 'production', LOG_FORMAT: 'auto' }, terminal, 'text'],
    ['as npm start chooses it when it is piped', { NODE_ENV: 'production', LOG_FORMAT: 'auto' }, {}, 'json'],
    ['as it is set, piped', { NODE_ENV: 'production', LOG_FORMAT: 'text' }, {}, 'text'],
    ['as it is set, on a terminal', { LOG_FORMAT: 'json' }, terminal, 'json'],
  ])('is chosen %s', (_, variables, output, format) => {
    expect(logFormat(variables, output)).toBe(format)
  })
})
