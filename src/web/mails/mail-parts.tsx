import { Fragment, type ReactNode } from 'react'
import { useShop } from '../parts/shared/shop-context.tsx'
import { mailLook, sheetLook } from './mail-look.ts'
import { useMedium } from './medium.tsx'

const useLook = () => mailLook(useShop().dir)

/** The frame of a message: the shop's name, a title, the content, and the reason for sending. */
export function MailFrame({
  subject,
  title,
  foot,
  children,
}: {
  subject: string
  title: string
  foot: string
  children: ReactNode
}) {
  const { name, language, dir } = useShop()
  const look = useLook()
  if (useMedium() === 'text') {
    return (
      <>
        {`${title}\n\n`}
        {children}
        {`\n\n-- \n${name}\n${foot}`}
      </>
    )
  }
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{sheetLook}</style>
      </head>
      <body style={look.page} className="m-page">
        <div style={look.card} className="m-card">
          <p style={look.brand} className="m-ink">
            {name}
          </p>
          <h1 style={look.title}>{title}</h1>
          {children}
        </div>
        <p style={look.foot} className="m-soft">
          {foot}
        </p>
      </body>
    </html>
  )
}

export function Heading({ text }: { text: string }) {
  const look = useLook()
  if (useMedium() === 'text') return `\n${text}\n\n`
  return <h2 style={look.heading}>{text}</h2>
}

/** A text of the shop or the merchant; line breaks are kept. */
export function Paragraph({ text, small = false }: { text: string; small?: boolean }) {
  const look = useLook()
  if (useMedium() === 'text') return `${text}\n\n`
  return (
    <p style={small ? { ...look.text, ...look.small } : look.text} className={small ? 'm-soft' : undefined}>
      {text.split('\n').map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, never moved
        <Fragment key={place}>
          {place > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </p>
  )
}

/** A quoted text of another author. */
export function Quote({ text }: { text: string }) {
  const look = useLook()
  // Browsers submit line breaks as CR LF, which would count as two breaks.
  if (useMedium() === 'text') return `${text.replace(/\r\n?/g, '\n').replace(/^/gm, '> ')}\n\n`
  return (
    <blockquote style={look.quote} className="m-quote">
      <span dir="auto">{text}</span>
    </blockquote>
  )
}

/** The main action of a message. @param url absolute */
export function Button({ text, url }: { text: string; url: string }) {
  const look = useLook()
  if (useMedium() === 'text') return `${text}:\n${url}\n\n`
  return (
    <p style={{ margin: '24px 0 18px' }}>
      <a href={url} style={look.button} className="m-button">
        {text}
      </a>
    </p>
  )
}

/** @param url absolute */
export function Link({ text, url, shown = false }: { text: string; url: string; shown?: boolean }) {
  const look = useLook()
  if (useMedium() === 'text') return `${text}: ${url}\n`
  return (
    <p style={{ ...look.text, margin: '0 0 8px' }}>
      <a href={url} style={look.link} className="m-link">
        {shown ? url : text}
      </a>
    </p>
  )
}

export type Row = { label: string; details?: readonly string[]; value: string; note?: string; strong?: boolean }

type RowsProps = {
  rows: readonly Row[]
  /** The table below continues its rows; its columns are as wide as that table needs. */
  continues?: boolean
  /** The table above started the rows. */
  continued?: boolean
}

/** Labels and values. In plain text the values are aligned. */
export function Rows({ rows, continues = false, continued = false }: RowsProps) {
  const look = useLook()
  if (useMedium() === 'text') return `${textRows(rows)}\n\n`
  // Texts need more space beside their label than figures do.
  const label = rows.some(isWords) ? { ...look.label, width: '40%' } : look.label
  return (
    <table style={{ ...look.table, ...(continued ? { marginTop: 0 } : {}), ...(continues ? { marginBottom: 0 } : {}) }}>
      <tbody>
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal
          <tr key={place}>
            <th
              scope="row"
              style={{ ...label, ...(row.strong ? look.total : {}), ...wrapping(row.label) }}
              className="m-line"
            >
              {row.label}
              {row.details?.map((detail) => (
                <div key={detail} style={look.small} className="m-soft">
                  {detail}
                </div>
              ))}
            </th>
            <td style={{ ...look.amount, ...valueLook(row) }} className="m-line">
              {row.value}
              {row.note && (
                <div style={{ ...look.small, fontWeight: 400, whiteSpace: 'normal' }} className="m-soft">
                  {row.note}
                </div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A figure stays on one line; longer values, such as a payment method or an account number, may wrap between words. */
function valueLook(row: Row) {
  const { value, strong } = row
  return { whiteSpace: isWords(row) ? 'normal' : 'nowrap', fontWeight: strong ? 600 : 400, ...wrapping(value) } as const
}

const isWords = ({ value }: Row) => value.length > 16

/** A column is as wide as its longest word, unless a small screen lacks the space. */
function wrapping(text: string) {
  const longest = Math.max(...text.split(/[\s-]+/).map((word) => columnsOf(word)))
  return { overflowWrap: longest > 18 ? 'anywhere' : 'break-word' } as const
}

/** Short enough that clients which quote it do not break lines. */
const textWidth = 64

function textRows(rows: readonly Row[]): string {
  const room = textWidth - Math.max(...rows.map(({ value }) => columnsOf(value))) - 2
  const atEnd = (text: string, taken = 0) => ' '.repeat(Math.max(textWidth - taken - columnsOf(text), 0)) + text
  return rows
    .flatMap(({ label, details = [], value, note }) => [
      columnsOf(label) > room ? `${label}\n${atEnd(value)}` : label + atEnd(value, columnsOf(label)),
      ...details.map((detail) => `    ${detail}`),
      ...(note ? [atEnd(note)] : []),
    ])
    .join('\n')
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/
const withoutWidth = /[\p{Mark}\p{Cf}]/gu

/** Returns the width of a text in a monospaced font: East Asian characters take two columns, combining marks none. */
function columnsOf(text: string): number {
  let columns = 0
  for (const letter of text.replace(withoutWidth, '')) columns += wide.test(letter) ? 2 : 1
  return columns
}

/** Addresses, side by side where space allows. */
export function Addresses({ list }: { list: readonly { title: string; lines: readonly string[] }[] }) {
  const look = useLook()
  if (useMedium() === 'text') return list.map(({ title, lines }) => `${[title, ...lines].join('\n  ')}\n\n`).join('')
  return (
    <div style={{ margin: '8px 0 0' }}>
      {list.map(({ title, lines }) => (
        <div key={title} style={look.address}>
          <p style={{ ...look.small, margin: '0 0 4px' }} className="m-soft">
            {title}
          </p>
          <p style={{ ...look.text, margin: 0 }}>
            {lines.map((line, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a town may be named like a street
              <Fragment key={place}>
                {place > 0 && <br />}
                <span dir="auto">{line}</span>
              </Fragment>
            ))}
          </p>
        </div>
      ))}
    </div>
  )
}
