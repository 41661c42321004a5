/** Escapes text for an element or attribute of XML. Removes characters that XML cannot represent. */
export function xmlText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML refuses.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}

/** 2026-11-22T07:30:00Z */
export const xmlMoment = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`
