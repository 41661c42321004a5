import { spawnSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = globSync('{src,emulator}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Openings of a clause that stands for a thing: readers search for the thing's own name. */
const clauseOpening = /^(?:What|Who|Whoever|Of|So|Whether)\b/

/** Metaphors and words with a standard term; `docs/reference/words.md` lists the terms. */
const replacedWords =
  'told said say spoken speak kept remembered recalled remember recall known-catalog let-go give-up give-back at-once in-turn in-words company look-over stand-in untouched patience nobody somebody whoever lanes doors street begun ear'.split(
    ' ',
  )

/** Names whose last word is a participle or adverb and that name no thing: `said`, `begun`, `waiting`. */
const bareParticiple =
  /^(?:said|told|begun|waiting|opens|kept|known|held|spoken|closed|wanted|listed|edited|entered|drained|painted|untouched|reported|rooted|dressed|pressed|divided|decoded|packed|unpacked|spoiled|recorded|described|hidden|displayed|undecided)$/

describe('rule 2 and 7 of the language: names', () => {
  it('no file is named by a replaced word', () => {
    const wordsOf = (file: string) => `-${basename(file).replace(/\..*$/, '')}-`
    const found = sources.filter((file) => replacedWords.some((word) => wordsOf(file).includes(`-${word}-`)))
    expect(found).toEqual([])
  })

  it('no exported function or constant is a bare participle', () => {
    const found = sources.flatMap((file) =>
      [...textOf(file).matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
        .filter(([, name = '']) => bareParticiple.test(name))
        .map(([, name]) => `${file}: ${name}`),
    )
    expect(found).toEqual([])
  })
})

describe('rule 4 of the language: openings', () => {
  it('no comment of the sources opens with a clause', () => {
    const found = sources
      .filter((file) => file.startsWith('src/'))
      .flatMap((file) =>
        [...textOf(file).matchAll(/\/\*\*\s*\*?\s*(.{0,80})|(?:^|\s)\/\/ (.{0,80})/gm)]
          .map(([, block, line]) => block ?? line ?? '')
          .filter((text) => clauseOpening.test(text))
          .map((text) => `${file}: ${text}`),
      )
    expect(found).toEqual([])
  })

  it('no decision or guide has a title that opens with a clause', () => {
    const pages = ['docs/decisions', 'docs/guides', 'docs/reference', 'docs/security'].flatMap((folder) =>
      readdirSync(join(root, folder)).flatMap((file) => (file.endsWith('.md') ? join(folder, file) : [])),
    )
    const titles = pages.map((page) => [page, /^# (?:\d{4} )?(.*)$/m.exec(textOf(page))?.[1] ?? ''] as const)
    expect(titles.length).toBeGreaterThan(100)
    expect(titles.filter(([, title]) => clauseOpening.test(title) || title === '')).toEqual([])
  })
})

it('rule 9 of the language: a commit subject has at most sixty characters and opens with a component or a verb', () => {
  // Earlier subjects stay as they are. A checkout without history has nothing to check.
  const { stdout } = spawnSync('git', ['log', '--no-merges', '--since=2026-11-29T00:00:00Z', '--format=%s'], {
    cwd: root,
    encoding: 'utf8',
  })
  const subjects = (stdout ?? '').split('\n').filter(Boolean)
  expect(subjects.filter((subject) => subject.length > 60 || clauseOpening.test(subject))).toEqual([])
})
