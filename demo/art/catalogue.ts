import type { Picture } from './pictures.ts'
import { candles } from './still/candles.ts'
import { desk } from './still/desk.ts'
import { front } from './still/front.ts'
import { gifts } from './still/gifts.ts'
import { glassware } from './still/glass.ts'
import { kitchenJars } from './still/kitchen-jars.ts'
import { kitchenWood } from './still/kitchen-wood.ts'
import { lamps } from './still/lamps.ts'
import { plants } from './still/plants.ts'
import { tableware } from './still/tableware.ts'
import { textiles } from './still/textiles.ts'
import { vases } from './still/vases.ts'
import { wallPrints } from './still/wall-prints.ts'
import { workshops } from './still/workshops.ts'

/** Every picture of the demo shop. */
export const pictures: readonly Picture[] = [
  ...front,
  ...vases,
  ...tableware,
  ...glassware,
  ...textiles,
  ...lamps,
  ...candles,
  ...kitchenWood,
  ...kitchenJars,
  ...wallPrints,
  ...desk,
  ...plants,
  ...workshops,
  ...gifts,
]
