import { expect, it } from 'vitest'
import { endedAtStart } from './data-directory.ts'

it('a database that does not start on a disk that is full tells of the disk, not of what came of it', () => {
  const said = (megabytes: number) =>
    endedAtStart('/data/postgres', 'FATAL:  checkpoint request failed', megabytes * 1024 ** 2)
  expect(said(1.5)).toBe(
    "1 MB are left on the disk of /data/postgres: make room, and the database starts. PostgreSQL's last word was: FATAL:  checkpoint request failed",
  )
  expect(said(500)).toBe('PostgreSQL ended while starting in /data/postgres: FATAL:  checkpoint request failed')
})
