import { existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fileTrouble } from './file-error.ts'

const thrownBy = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

// The file that is always full is of Linux.
it.skipIf(!existsSync('/dev/full')).each<[string, () => unknown, string | null]>([
  [
    'a file that is not there',
    () => readFileSync('/dev/null/none'),
    '/dev/null/none: its parent is not a folder. Check the path.',
  ],
  [
    'a disk that is full, of which the system names no file',
    () => writeSync(openSync('/dev/full', 'w'), 'order'),
    'no space left on the disk. Free some and run the command again.',
  ],
  [
    'what is no trouble of a file',
    () => {
      throw new Error('no')
    },
    null,
  ],
])('says in words: %s', (_, work, said) => {
  expect(fileTrouble(thrownBy(work))).toBe(said)
})
