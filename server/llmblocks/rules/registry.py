"""All rules with their examples. Checking a text does not need them: see `llmblocks.core.problem`."""

from __future__ import annotations

from llmblocks.rules.comments import c010, c011
from llmblocks.rules.gadget import (
    g001,
    g002,
    g003,
    g004,
    g005,
    g006,
    g007,
    g009,
    g010,
    g011,
    g012,
    g101,
    g102,
    g103,
    g104,
    g105,
    g106,
    g107,
    g108,
    g109,
    g110,
    g111,
    g112,
    g113,
    g114,
    g115,
    g116,
    g117,
    g118,
    g119,
    g120,
    g201,
    g202,
    g203,
    g204,
    g205,
    g206,
    g207,
)
from llmblocks.rules.rule import Rule
from llmblocks.rules.stf import s001, s002, s003, s004, s005, s006, s101, s102, s103, s104, s105, s106, s109, s110, s203
from llmblocks.rules.tags import t001, t002, t003, t004, t005, t006, t007, t008, t009, t010, t101, t102

_MODULES = (
    *(c010, c011),
    *(g001, g002, g003, g004, g005, g006, g007, g009, g010, g011, g012),
    *(g101, g102, g103, g104, g105, g106, g107, g108, g109, g110),
    *(g111, g112, g113, g114, g115, g116, g117, g118, g119, g120),
    *(g201, g202, g203, g204, g205, g206, g207),
    *(s001, s002, s003, s004, s005, s006),
    *(s101, s102, s103, s104, s105, s106, s109, s110, s203),
    *(t001, t002, t003, t004, t005, t006, t007, t008, t009, t010),
    *(t101, t102),
)
RULES: tuple[Rule, ...] = tuple([module.RULE for module in _MODULES])
