import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imageHash, originalFile } from '#shop/content/resize-images.ts'
import { createImageEncoder } from './image-encoder.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-encoder-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the process that encodes pictures', () => {
  it('answers with every size of a picture, and with the reason why it cannot', async () => {
    const { encode, stop } = createImageEncoder(join(import.meta.dirname, '../../..'))
    const bytes = await sharp({ create: { width: 700, height: 400, channels: 3, background: '#3366cc' } })
      .png()
      .toBuffer()
    await writeFile(originalFile(folder, imageHash(bytes)), bytes)
    expect(await encode(folder, imageHash(bytes))).toMatchObject({ width: 700, widths: [160, 320, 640, 700] })
    await writeFile(originalFile(folder, 'damaged'), bytes)
    await expect(encode(folder, 'damaged')).rejects.toThrow('the original of the picture damaged is damaged')
    await stop()
  })

  it('is replaced when it dies or never answers, so that no picture blocks those behind it', async () => {
    const program = join(folder, 'src/server/content/image-encoder-process.ts')
    await mkdir(dirname(program), { recursive: true })
    await writeFile(
      program,
      `process.on('message', ({ hash }) => {
        if (hash === 'dies') process.exit(1)
        const image = { hash, width: 1, height: 1, placeholder: '#000000', widths: [1] }
        if (hash !== 'hangs') process.send({ image })
      })`,
    )
    const { encode, stop } = createImageEncoder(folder, 3000)
    for (const hash of ['dies', 'hangs']) {
      await expect(encode(folder, hash)).rejects.toThrow(`the process that encodes pictures ended during ${hash}`)
      expect(await encode(folder, 'good')).toMatchObject({ hash: 'good' })
    }
    await stop()
  })
})
