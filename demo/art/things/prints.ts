import sharp from 'sharp'
import type { Print } from './paints.ts'

/** An SVG as a texture. */
export async function print(svg: string): Promise<Print> {
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, bytes: new Uint8Array(data) }
}

const serif = "font-family='Noto Serif Display, Noto Serif, serif'"
const sans = "font-family='Noto Sans, sans-serif'"
const sheet = (width: number, height: number, inside: string) =>
  `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}' viewBox='0 0 ${width} ${height}'>${inside}</svg>`

/** The shop's mark: a sun half sunk in two lines of fog. */
export const mark = (x: number, y: number, size: number, colour: string) =>
  `<g transform='translate(${x} ${y}) scale(${size / 48})' fill='${colour}'><path d='M24 7a15 15 0 0 1 14.9 16.6H9.1A15 15 0 0 1 24 7z'/><rect x='3' y='27.4' width='42' height='3.6' rx='1.8'/><rect x='10' y='34.8' width='28' height='3.6' rx='1.8'/></g>`

export const lowSun = () =>
  print(
    sheet(
      900,
      1200,
      `<rect width='900' height='1200' fill='#ece2d0'/>
      <circle cx='450' cy='470' r='235' fill='#c8643c'/>
      <path d='M0 640 C160 560 290 600 450 650 S760 720 900 620 V1200 H0z' fill='#d9a877'/>
      <path d='M0 760 C200 690 330 790 520 790 S800 720 900 760 V1200 H0z' fill='#8d9a86'/>
      <path d='M0 900 C180 840 380 930 560 900 S820 860 900 900 V1200 H0z' fill='#4f6057'/>
      <path d='M0 1040 C220 980 420 1050 640 1030 S840 1000 900 1030 V1200 H0z' fill='#2c3a3c'/>`,
    ),
  )

export const headlands = () =>
  print(
    sheet(
      900,
      1200,
      `<rect width='900' height='1200' fill='#dfe2dc'/>
      <path d='M0 520 L220 430 L420 500 L650 380 L900 470 V760 H0z' fill='#b9c4c4'/>
      <path d='M0 640 L160 560 L330 640 L560 590 L900 690 V900 H0z' fill='#8aa0a4'/>
      <path d='M900 600 L700 720 L520 770 L300 860 L0 900 V1040 H900z' fill='#5c767d'/>
      <path d='M0 820 L190 880 L360 960 L520 1010 L900 1060 V1200 H0z' fill='#33464f'/>
      <circle cx='690' cy='210' r='74' fill='#eebd8b'/>`,
    ),
  )

export const threeVessels = () =>
  print(
    sheet(
      900,
      1200,
      `<rect width='900' height='1200' fill='#e7d6c4'/><rect y='830' width='900' height='370' fill='#cda98c'/>
      <path d='M190 930 C110 930 100 760 150 660 C190 580 220 560 215 470 H335 C330 560 360 580 400 660 C450 760 440 930 360 930z' fill='#3d4a4e'/>
      <path d='M430 980 C370 980 360 860 420 800 C450 770 455 750 452 710 H560 C556 750 562 770 592 800 C650 860 642 980 582 980z' fill='#b5603d'/>
      <path d='M600 900 C560 900 548 700 585 520 C600 440 600 380 594 330 H706 C700 380 700 440 715 520 C752 700 740 900 700 900z' fill='#f2ebdf'/>
      <path d='M650 330 C640 240 690 180 760 130 M655 300 C630 230 590 200 560 170' stroke='#5f6b4c' stroke-width='9' fill='none'/>
      <ellipse cx='770' cy='125' rx='42' ry='18' transform='rotate(-38 770 125)' fill='#5f6b4c'/><ellipse cx='550' cy='162' rx='36' ry='16' transform='rotate(42 550 162)' fill='#5f6b4c'/>
      <ellipse cx='700' cy='205' rx='36' ry='15' transform='rotate(-10 700 205)' fill='#5f6b4c'/>`,
    ),
  )

export const tideTable = () =>
  print(
    sheet(
      900,
      1200,
      `<rect width='900' height='1200' fill='#f1ece2'/>${Array.from({ length: 13 }, (_, i) => {
        const y = 190 + i * 62
        const a = 8 + 26 * Math.abs(Math.sin(i * 0.74))
        return `<path d='M130 ${y} q80 ${-a} 160 0 t160 0 t160 0 t160 0' fill='none' stroke='#2f4757' stroke-width='${3 + (i % 3) * 2.4}'/>`
      }).join('')}<circle cx='690' cy='150' r='46' fill='#c9953a'/>`,
    ),
  )

export const notebookCover = (background: string, ink: string) =>
  print(
    sheet(
      840,
      1120,
      `<rect width='840' height='1120' fill='${background}'/>
      <text x='420' y='300' ${serif} font-size='74' fill='${ink}' text-anchor='middle'>Daybook</text>
      <rect x='385' y='345' width='70' height='4' fill='${ink}'/>
      ${mark(372, 900, 96, ink)}`,
    ),
  )

export const bookCover = () =>
  print(
    sheet(
      840,
      1120,
      `<rect width='840' height='1120' fill='#cfd6d3'/>
      <rect y='430' width='840' height='90' fill='#b3c0c0'/><rect y='520' width='840' height='120' fill='#93a7aa'/>
      <rect y='640' width='840' height='150' fill='#6d878e'/><rect y='790' width='840' height='330' fill='#3c545e'/>
      <circle cx='420' cy='430' r='150' fill='#f0dcc0'/><rect y='452' width='840' height='68' fill='#b3c0c0'/>
      <text x='420' y='160' ${serif} font-size='92' fill='#26343b' text-anchor='middle'>The Fog</text>
      <text x='420' y='255' ${serif} font-size='92' fill='#26343b' text-anchor='middle'>Almanac</text>
      <text x='420' y='1020' ${sans} font-size='30' letter-spacing='7' fill='#e9e4da' text-anchor='middle'>A YEAR BY THE COAST</text>`,
    ),
  )

export const giftCard = (background: string, ink: string, sun: string) =>
  print(
    sheet(
      1200,
      760,
      `<rect width='1200' height='760' fill='${background}'/>
      <circle cx='890' cy='400' r='210' fill='${sun}'/>
      <rect x='560' y='430' width='640' height='34' rx='17' fill='${background}'/><rect x='700' y='500' width='500' height='30' rx='15' fill='${background}'/><rect x='620' y='562' width='580' height='60' fill='${background}'/>
      <text x='90' y='170' ${serif} font-size='88' fill='${ink}'>Fogline</text>
      <text x='92' y='660' ${sans} font-size='32' letter-spacing='8' fill='${ink}'>A GIFT, FOR LATER</text>`,
    ),
  )

export const candleLabel = (name: string, notes: string) =>
  print(
    sheet(
      900,
      620,
      `<rect width='900' height='620' fill='#f3eee4'/><rect x='26' y='26' width='848' height='568' fill='none' stroke='#3a3a36' stroke-width='3'/>
      ${mark(402, 84, 96, '#3a3a36')}
      <text x='450' y='330' ${serif} font-size='104' fill='#2f2f2c' text-anchor='middle'>${name}</text>
      <text x='450' y='430' ${sans} font-size='32' letter-spacing='6' fill='#55534d' text-anchor='middle'>${notes}</text>
      <text x='450' y='530' ${sans} font-size='27' letter-spacing='4' fill='#55534d' text-anchor='middle'>SOY WAX · 220 G</text>`,
    ),
  )

export const seedPacket = (name: string, latin: string, background: string, flower: string) =>
  print(
    sheet(
      600,
      840,
      `<rect width='600' height='840' fill='${background}'/>
      <g transform='translate(300 420)'>${Array.from(
        { length: 9 },
        (_, i) =>
          `<ellipse cx='0' cy='-112' rx='44' ry='104' fill='${flower}' fill-opacity='.88' transform='rotate(${i * 40})'/>`,
      ).join('')}<circle r='58' fill='#4b3b2a'/><circle r='34' fill='#6b5338'/></g>
      <text x='300' y='120' ${serif} font-size='64' fill='#2f332c' text-anchor='middle'>${name}</text>
      <text x='300' y='752' ${serif} font-size='32' font-style='italic' fill='#2f332c' text-anchor='middle'>${latin}</text>`,
    ),
  )

export const letterSheet = () =>
  print(
    sheet(
      840,
      1120,
      `<rect width='840' height='1120' fill='#f4efe5'/>${mark(372, 90, 96, '#9c4a2b')}${Array.from(
        { length: 13 },
        (_, i) => `<rect x='120' y='${320 + i * 54}' width='600' height='2' fill='#cfc3b0'/>`,
      ).join('')}`,
    ),
  )

export const wallpaperSheet = () =>
  print(
    sheet(
      1500,
      980,
      `<defs><linearGradient id='a' x2='0' y2='1'><stop stop-color='#e9dfd2'/><stop offset='.55' stop-color='#d7b9a0'/><stop offset='1' stop-color='#b98367'/></linearGradient></defs>
      <rect width='1500' height='980' fill='url(#a)'/><circle cx='980' cy='430' r='150' fill='#f4e3c6'/>
      <path d='M0 560 C260 470 420 600 700 560 S1240 470 1500 560 V980 H0z' fill='#a3a79c' fill-opacity='.9'/>
      <path d='M0 690 C300 610 560 730 820 690 S1300 640 1500 700 V980 H0z' fill='#6c7d78'/>
      <path d='M0 820 C280 770 640 850 900 820 S1320 790 1500 820 V980 H0z' fill='#36474a'/>`,
    ),
  )
