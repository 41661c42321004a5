/** The named characters of HTML 4, ordered by code, from 160 on. */
const fromNbsp =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const others =
  'quot=34 amp=38 apos=39 lt=60 gt=62 OElig=338 oelig=339 Scaron=352 scaron=353 Yuml=376 fnof=402 circ=710 tilde=732 Omega=937 alpha=945 beta=946 gamma=947 delta=948 pi=960 mu=956 ensp=8194 emsp=8195 thinsp=8201 zwnj=8204 zwj=8205 lrm=8206 rlm=8207 ndash=8211 mdash=8212 lsquo=8216 rsquo=8217 sbquo=8218 ldquo=8220 rdquo=8221 bdquo=8222 dagger=8224 Dagger=8225 bull=8226 hellip=8230 permil=8240 prime=8242 Prime=8243 lsaquo=8249 rsaquo=8250 euro=8364 trade=8482 larr=8592 uarr=8593 rarr=8594 darr=8595 harr=8596 minus=8722 infin=8734 asymp=8776 ne=8800 le=8804 ge=8805 check=10003'

const named: ReadonlyMap<string, string> = new Map([
  ...fromNbsp.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...others.split(' ').map((pair): [string, string] => {
    const [name = '', number] = pair.split('=')
    return [name, String.fromCodePoint(Number(number))]
  }),
])

const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,9}));/g

/** Decodes markup without tags to plain text. Unknown entities stay unchanged. */
export function decodeEntities(markup: string): string {
  if (!markup.includes('&')) return markup
  return markup.replace(entity, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? written
    const number = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    // Left unchanged: invalid code points, surrogates, and codes that HTML maps to another character.
    const isText = number >= 32 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff)
    return isText && !(number >= 127 && number < 160) ? String.fromCodePoint(number) : written
  })
}

/** Encodes text as markup, also safe within double quotes. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
