/**
 * EngineSession: one session as views read it, whether it is watched now or was recorded. What derives from records is
 * the same; who answers for the cluster (`watching`) and what time it is (`clock`) differ.
 */
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { Emitter } from '../../shared/base/emitter.ts';
import type { RowTable } from '../../shared/contract/rowTable.ts';
import type { Connection, SessionStats } from '../../shared/contract/views/connection.ts';
import type { ObjectHistory, ObjectHit } from '../../shared/contract/views/objects.ts';
import type { FeedRow, GapRow, InformerRow, RequestRow } from '../../shared/contract/views/sources.ts';
import type { ObjectKey } from '../../shared/model/ids.ts';
import type { Recorder } from '../session/recorder.ts';
import type { ClusterModel } from './clusterModel.ts';
import type { EventFeed } from './eventFeed.ts';
import type { ObjectIndex } from './objectIndex.ts';
import type { OperatorsModel } from './operatorsModel.ts';
import type { Shadows } from './shadows.ts';
import type { Traces } from './tracesPort.ts';
import type { Verdicts } from './verdicts.ts';
import type { Watched } from './watched.ts';

export interface EngineSession extends Disposable {
  /** The time of what is shown: now, or the moment a recording stands at. */
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly model: ClusterModel;
  readonly index: ObjectIndex;
  readonly events: EventFeed;
  readonly operators: OperatorsModel;
  readonly shadows: Shadows;
  readonly verdicts: Verdicts;
  readonly traces: Traces;
  readonly watching: Watched;
  readonly informers: RowTable<InformerRow>;
  readonly gaps: RowTable<GapRow>;
  readonly requests: RowTable<RequestRow>;
  readonly onConnection: Emitter<Connection>;
  readonly onStats: Emitter<void>;
  readonly onObject: Emitter<ObjectKey>;
  readonly onFeeds: Emitter<void>;
  connection(): Connection;
  feeds(): readonly FeedRow[];
  /** Asks for whole objects of this kind from now on; a recording has what it has. */
  upgrade(key: ObjectKey): void;
  history(key: ObjectKey): ObjectHistory;
  search(text: string, limit: number): ObjectHit[];
  stats(): SessionStats;
}
