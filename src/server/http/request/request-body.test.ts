import { describe, expect, it } from 'vitest'
import { readFields } from './request-body.ts'

const part = (disposition: string, content = '') =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`

/** Posts a form as a browser does: an empty file field has an empty file name. */
const posted = (...parts: string[]) =>
  readFields(
    new Request('http://shop.test/', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: `${parts.join('')}--x--\r\n`,
    }),
  )

describe('§1.12: a form with a field for a file', () => {
  it.each([
    ['left empty', part('name="engraving"; filename=""')],
    ['filled', part('name="engraving"; filename="a.php"', '<?php')],
    ['named like one of ours', part('name="quantity"; filename="a.txt"', '9')],
  ])('that is %s is read without it', async (_, file) => {
    const fields = await posted(part('name="quantity"', '2'), file, part('name="cart[x][qty]"', '3'))
    expect(JSON.parse(JSON.stringify(fields))).toEqual({ quantity: '2', cart: { x: { qty: '3' } } })
  })

  it('counts as a field, and is measured with the whole body', async () => {
    const file = part('name="a"; filename=""')
    await expect(posted(file.repeat(1001))).rejects.toMatchObject({ status: 400 })
    await expect(posted(part('name="a"; filename="x"', 'x'.repeat(300_000)))).rejects.toMatchObject({ status: 413 })
  })
})
