import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Application } from '../operations/startup/application.ts'
import { mediaAnswer, publicFile } from './static-files.ts'

let folder: string
let app: Application
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-files-'))
  await Promise.all(['assets', 'media'].map((name) => mkdir(join(folder, name))))
  // Static files need nothing else of the application.
  app = { clientFolder: folder, mediaFolder: join(folder, 'media') } as Application
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const pictureName = (nr: number) => `${nr.toString(16).padStart(16, '0')}-800.webp`
const picture = (nr: number) => mediaAnswer(app, new Request('http://shop.test/'), pictureName(nr))
const script = () => {
  const headers = { 'accept-encoding': 'br' }
  return publicFile(app, new Request('http://shop.test/', { headers }), 'assets/main-1.js')
}
const writePictures = (count: number, bytes: number) =>
  Promise.all(
    Array.from({ length: count }, (_, nr) => writeFile(join(app.mediaFolder, pictureName(nr)), Buffer.alloc(bytes, 1))),
  )
const writeScript = () => writeFile(join(folder, 'assets', 'main-1.js'), 'say("hello");'.repeat(500))
/** Empties the disk: from then on only cached files are served. */
const emptyDisk = () => rm(folder, { recursive: true, force: true })

describe('files that are remembered', () => {
  it('are those that are asked for, however many pictures were asked for before them', async () => {
    await Promise.all([writePictures(600, 100), writeScript()])
    for (let nr = 0; nr < 600; nr += 1) await picture(nr)
    const first = await script()
    expect(first.headers.get('content-encoding')).toBe('br')
    await emptyDisk()
    expect((await script()).status).toBe(200)
  })

  it('take no more than so much memory: what nobody has asked for since leaves', async () => {
    const bytes = 250_000
    const most = Math.floor((16 * 1024 * 1024) / bytes)
    await Promise.all([writePictures(2 * most, bytes), writeScript()])
    for (let nr = 0; nr < 2 * most; nr += 1) {
      await picture(nr)
      await script()
    }
    await emptyDisk()
    const kept: number[] = []
    for (let nr = 0; nr < 2 * most; nr += 1) if ((await picture(nr)).status === 200) kept.push(nr)
    expect(kept.length * bytes).toBeLessThanOrEqual(16 * 1024 * 1024)
    expect(kept.length).toBeGreaterThan(most - 3)
    expect(kept.at(-1)).toBe(2 * most - 1)
    expect((await script()).status).toBe(200)
  })
})
