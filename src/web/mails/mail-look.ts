import type { CSSProperties } from 'react'

// Mail clients support neither stylesheets nor custom properties reliably, so a mail has inline styles. Clients that do
// support a stylesheet take the dark colours from it, by class.

const serif = '"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif'
const sans = '-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
const [ink, soft, line, accent] = ['#16211e', '#56625e', '#dbe1de', '#0f4a3c']

// Physical sides, since old clients do not support start and end.
const byDirection = { ltr: lookOf('left', 'right'), rtl: lookOf('right', 'left') }

export const mailLook = (dir: 'ltr' | 'rtl') => byDirection[dir]

function lookOf(start: 'left' | 'right', end: 'left' | 'right') {
  return {
    page: {
      margin: 0,
      padding: '28px 12px 40px',
      background: '#eff3f1',
      color: ink,
      fontFamily: sans,
      fontSize: 16,
      lineHeight: '1.55',
    },
    card: {
      maxWidth: 600,
      margin: '0 auto',
      padding: '32px 28px 36px',
      background: '#ffffff',
      borderRadius: 4,
      overflowWrap: 'anywhere',
    },
    brand: { margin: '0 0 26px', fontFamily: serif, fontSize: 19, lineHeight: '1.2', color: ink },
    title: { margin: '0 0 14px', fontFamily: serif, fontSize: 27, lineHeight: '1.2', fontWeight: 400 },
    heading: { margin: '30px 0 8px', fontFamily: serif, fontSize: 19, lineHeight: '1.3', fontWeight: 400 },
    text: { margin: '0 0 16px' },
    quote: {
      margin: '0 0 16px',
      padding: start === 'left' ? '2px 0 2px 16px' : '2px 16px 2px 0',
      [start === 'left' ? 'borderLeft' : 'borderRight']: `3px solid ${accent}`,
      whiteSpace: 'pre-line',
    },
    small: { fontSize: 14, color: soft },
    table: { width: '100%', borderCollapse: 'collapse', margin: '20px 0 24px' },
    label: {
      padding: '10px 0',
      borderBottom: `1px solid ${line}`,
      textAlign: start,
      verticalAlign: 'top',
      fontWeight: 400,
    },
    amount: {
      padding: start === 'left' ? '10px 0 10px 16px' : '10px 16px 10px 0',
      borderBottom: `1px solid ${line}`,
      textAlign: end,
      verticalAlign: 'top',
    },
    total: { fontWeight: 600 },
    address: { display: 'inline-block', width: '100%', maxWidth: 256, margin: '0 0 16px', verticalAlign: 'top' },
    button: {
      display: 'inline-block',
      padding: '13px 26px',
      borderRadius: 3,
      background: accent,
      color: '#ffffff',
      fontWeight: 600,
      textDecoration: 'none',
    },
    link: { color: accent },
    foot: { maxWidth: 600, margin: '22px auto 0', textAlign: 'center', fontSize: 13, lineHeight: '1.5', color: soft },
  } satisfies Record<string, CSSProperties>
}

/** For clients that support a stylesheet: wrapping of long words on small screens, and the dark colours. */
export const sheetLook = `@media (max-width:480px){
.m-page{padding:16px 8px 32px!important}
.m-card{padding:26px 16px 30px!important}
}
@media (prefers-color-scheme:dark){
.m-page{background:#0f1614!important;color:#e9efec!important}
.m-card{background:#18201e!important}
.m-ink{color:#e9efec!important}
.m-soft{color:#a5b1ac!important}
.m-line{border-color:#2f3936!important}
.m-link{color:#b4dccd!important}
.m-button{background:#b4dccd!important;color:#0d1614!important}
.m-quote{border-color:#b4dccd!important}
}`
