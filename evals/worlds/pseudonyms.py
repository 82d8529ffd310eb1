"""Seeded names that mean nothing, in the script of the name that they replace."""

import random
import re
import unicodedata

_ONSETS = ("b", "br", "d", "dr", "f", "g", "gl", "k", "kr", "l", "m", "n", "p", "pr", "qu", "r", "s", "st", "t", "tr", "v", "z")
_VOWELS = ("a", "e", "i", "o", "u", "ae", "ia", "ou")
_CODAS = ("", "", "n", "r", "l", "x", "m", "nd", "rk", "sk", "th")
_CHARACTERS = "岚澈琮霁翊珩璟沅淳昱晏祁穆黎骁峤筠蓁葳栩煜烨翰臻颢懿瑾琅璨泓漪渊沁岑嵘宥羿"
CHINESE = re.compile(r"[\u3400-\u9fff]")
_NUMBER = re.compile(r"\d{4}年?")


class Pseudonyms:
    """One new name for each old one. Equal old names get equal new ones, so what was ambiguous stays ambiguous; years stay as they are."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._used: set[str] = set()
        self.names: dict[str, str] = {}

    def of(self, name: str) -> str:
        """The pseudonym of a name, made when first asked for."""
        if _NUMBER.fullmatch(name):
            return name
        if name not in self.names:
            self.names[name] = self._fresh(name)
        return self.names[name]

    def _fresh(self, name: str) -> str:
        make = self._chinese if CHINESE.search(name) else self._latin
        while (made := make()) in self._used:
            continue
        self._used.add(made)
        return made

    def _latin(self) -> str:
        syllables = (self._random.choice(_ONSETS) + self._random.choice(_VOWELS) for _ in range(3))
        return unicodedata.normalize("NFC", ("".join(syllables) + self._random.choice(_CODAS)).capitalize())

    def _chinese(self) -> str:
        return "".join(self._random.sample(_CHARACTERS, 3))
