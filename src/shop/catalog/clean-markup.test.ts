import { describe, expect, it } from 'vitest'
import { cleanMarkup, hasProgram } from './clean-markup.ts'

describe('a description', () => {
  it.each([
    ['<p>Fired <strong>twice</strong>.</p>', '<p>Fired <strong>twice</strong>.</p>'],
    ['5 &lt; 6 &amp; 7, at 1 > 0', '5 &lt; 6 &amp; 7, at 1 > 0'],
    ['<p onclick="x()">A<script>steal()</script></p>', '<p>A</p>'],
    ['<a href="javascript:x()">A</a>', '<a>A</a>'],
    [
      '<a href="https://a.example" target="_blank">A</a>',
      '<a href="https://a.example" target="_blank" rel="noopener">A</a>',
    ],
    ['<p style="position:fixed">A</p><style>p{}</style>', '<p>A</p>'],
    ['<img src="x.jpg" onerror="x()" alt="A">', '<img src="x.jpg" alt="A" />'],
    ['<img src="data:image/svg+xml,x">', '<img />'],
    ['<iframe src="https://a.example"></iframe>A', 'A'],
    ['<form action="/x"><input name="card"></form>A', 'A'],
    ['<svg><script>x()</script></svg>A', 'A'],
    ['<table><tr><td colspan="2">A</td></tr></table>', '<table><tr><td colspan="2">A</td></tr></table>'],
    ['<math><mi xlink:href="javascript:x()">A</mi></math>', 'A'],
    ['<p>Unclosed <b>bold', '<p>Unclosed <b>bold</b></p>'],
  ])('%s becomes %s, and stays so', (markup, clean) => {
    expect(cleanMarkup(markup)).toBe(clean)
    expect(cleanMarkup(clean)).toBe(clean)
  })

  it('is reported where a program is taken away, and not for other markup', () => {
    expect(['<script>x</script>', '<b onclick="x">', '<a href="javascript:x">', '<iframe>'].every(hasProgram)).toBe(
      true,
    )
    expect(['<p>on sale = now</p>', 'a < b', '<b class="form">'].some(hasProgram)).toBe(false)
  })
})
